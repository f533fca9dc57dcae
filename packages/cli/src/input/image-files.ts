import { constants, type Dirent, openAsBlob } from "node:fs";
import { access, glob, readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import type { BatchFile } from "@colophon/client";
import { withMediaType } from "@colophon/formats";
import { Failure } from "../failure.ts";
import { fileFault } from "../file-faults.ts";
import { counted } from "../print.ts";
import { shown } from "../shown.ts";

/** Media types by extension: those the service may accept, and those of which it should say that it does not. */
const TYPES: Readonly<Record<string, string>> = {
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".jpe": "image/jpeg",
  ".jfif": "image/jpeg",
  ".png": "image/png",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".bmp": "image/bmp",
  ".gif": "image/gif",
  ".heic": "image/heic",
  ".heif": "image/heif",
  ".jxl": "image/jxl",
  ".tif": "image/tiff",
  ".tiff": "image/tiff",
};
const PATTERN = /[*?[{]/;
/** Files left out that are named; any more are counted. */
const NAMED = 3;

/** What the help of a command says about its PATH operands. */
export const PATH_DETAILS =
  "PATH is a file, a folder (taken with its subfolders, by the names of image files), or a pattern such as '*.jpg'.";

/**
 * The images that the operands name, each path once, in their order; a folder's by path. Of each only the first bytes
 * are read yet.
 *
 * @throws Failure (usage) when an operand names nothing, or all of them name no image
 */
export async function imageFiles(operands: readonly string[]): Promise<BatchFile[]> {
  const paths = new Set<string>();
  const leftOut = new Set<string>();
  for (const operand of operands) {
    for (const path of await pathsOf(operand, leftOut)) paths.add(path);
  }
  if (paths.size === 0) {
    const names = Object.keys(TYPES).join(", ");
    throw Failure.usage(
      `There is no image file in ${operands.map(shown).join(", ")}: their names end in ${names}.`,
    );
  }
  if (leftOut.size > 0) process.stderr.write(`${sayLeftOut([...leftOut])}\n`);
  const files: BatchFile[] = [];
  // One after the other: a folder may hold more files than may be open at once.
  for (const path of paths) files.push({ name: path, image: await imageBlob(path) });
  return files;
}

function sayLeftOut(paths: readonly string[]): string {
  const more = paths.length - NAMED;
  const rest = more > 0 ? ` and ${counted(more, "other file")}` : "";
  const names = paths.slice(0, NAMED).map(shown).join(", ");
  return `Left out, for their names are not those of images: ${names}${rest}. A file that is named itself is sent.`;
}

/** Whether a path has the name of an image file. */
export function isImageName(path: string): boolean {
  return typeOf(path) !== undefined;
}

/** A file's bytes, read when they are needed, under the media type that they tell, else that of its name. */
async function imageBlob(path: string): Promise<Blob> {
  await access(path, constants.R_OK).catch((error: unknown) => {
    throw fileFault(path, "read", error);
  });
  return withMediaType(await openAsBlob(path), typeOf(path));
}

/** @param leftOut takes the files of a folder whose names are not those of images */
async function pathsOf(operand: string, leftOut: Set<string>): Promise<string[]> {
  const found = await stat(operand).catch(() => null);
  if (found?.isFile() === true) return [operand];
  if (found?.isDirectory() === true) return imagesWithin(operand, leftOut);
  const matches = PATTERN.test(operand) ? await matching(operand) : [];
  if (matches.length === 0) throw Failure.usage(`There is no file or folder ${shown(operand)}.`);
  return matches.filter(isImageName);
}

async function matching(pattern: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of glob(pattern)) paths.push(path);
  return paths.toSorted();
}

/**
 * The images of a folder by path, also where a link stands for the file; nothing hidden, and no folder behind a link.
 */
async function imagesWithin(folder: string, leftOut: Set<string>): Promise<string[]> {
  const paths: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await entriesOf(next)) {
      const path = join(next, entry.name);
      if (entry.name.startsWith(".")) continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() || (await leadsToFile(entry, path))) {
        if (isImageName(path)) paths.push(path);
        else leftOut.add(path);
      }
    }
  }
  return paths.toSorted();
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    throw fileFault(folder, "read", error);
  }
}

async function leadsToFile(entry: Dirent, path: string): Promise<boolean> {
  return entry.isSymbolicLink() && (await stat(path).catch(() => null))?.isFile() === true;
}

function typeOf(path: string): string | undefined {
  return TYPES[extname(path).toLowerCase()];
}
