import { buffer } from "node:stream/consumers";
import type { BatchFile } from "@colophon/client";
import { withMediaType } from "@colophon/formats";
import { Failure } from "../failure.ts";
import { imageFiles } from "./image-files.ts";

/** The operand that stands for standard input. */
const STANDARD_INPUT = "-";

/** What the help of a command that takes it says about it. */
export const STANDARD_INPUT_DETAILS = "A - stands for an image on standard input.";

/** The images that the operands name, standard input among them. @throws Failure (usage), as `imageFiles` */
export async function queriedImages(operands: readonly string[]): Promise<BatchFile[]> {
  const paths = operands.filter((operand) => operand !== STANDARD_INPUT);
  const files = paths.length === 0 ? [] : await imageFiles(paths);
  if (paths.length === operands.length) return files;
  return [{ name: STANDARD_INPUT, image: await standardInput() }, ...files];
}

async function standardInput(): Promise<Blob> {
  const bytes = await buffer(process.stdin);
  if (bytes.length === 0) throw Failure.usage("There is nothing on standard input.");
  return withMediaType(new Blob([bytes]));
}
