import { mkdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fromEnvironment } from "./environment.ts";
import { fileFault } from "../file-faults.ts";
import { Failure } from "../failure.ts";
import { replaceFile } from "../replace-file.ts";
import { sendableToken } from "./token.ts";

/** A service and the token for it, as `colophon login` keeps them. */
export interface Profile {
  readonly baseUrl: string;
  readonly token: string;
}

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** The folder of everything the command keeps for its user. */
export function configDir(): string {
  return join(fromEnvironment("XDG_CONFIG_HOME") ?? join(homedir(), ".config"), "colophon");
}

/** Where the profile is kept. */
export function profilePath(): string {
  return join(configDir(), "profile.json");
}

/** The profile, `null` when there is none. @throws Failure (usage) when others can read it, or it is none */
export async function readProfile(): Promise<Profile | null> {
  const file = profilePath();
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return null;
  if (process.platform !== "win32" && ((await stat(file)).mode & OTHERS) !== 0) {
    throw Failure.usage(
      `Other users can read the token in ${file}: chmod 600 it, and have the token replaced.`,
    );
  }
  const profile = profileIn(text);
  if (profile === null) throw Failure.usage(`${file} is not a profile; colophon login writes one.`);
  return { ...profile, token: sendableToken(profile.token, file) };
}

/**
 * Keeps the profile in a new file that its owner alone reads, in the place of an older one, which others may hold open.
 */
export async function writeProfile({ baseUrl, token }: Profile): Promise<void> {
  const file = profilePath();
  const text = `${JSON.stringify({ baseUrl, token }, undefined, 2)}\n`;
  await mkdir(configDir(), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw fileFault(file, "written", error);
  });
  await replaceFile(file, text, { mode: OWNER_ONLY });
}

function profileIn(text: string): Profile | null {
  try {
    const { baseUrl, token }: Record<string, unknown> = JSON.parse(text);
    return typeof baseUrl === "string" && typeof token === "string" ? { baseUrl, token } : null;
  } catch {
    return null;
  }
}
