import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ManifestFile } from "../input/manifest-files.ts";
import { configDir, type Profile } from "../settings/profile.ts";

/** What makes a run the same when its command is run again. */
export interface RunIdentity {
  readonly profile: Profile;
  readonly operands: readonly string[];
  readonly manifests: readonly ManifestFile[];
  /** Whatever else decides on what is sent. */
  readonly choices?: readonly (string | number | undefined)[];
}

/**
 * What an unfinished run goes on with, in a file beside the profile, so that the same command run again finds it. The
 * file's name is a digest of service, token, paths and manifests: another account or other manifests make another run.
 */
export class UnfinishedRun<Saved> {
  readonly #file: string;
  #saved: Saved | undefined;

  private constructor(file: string, saved: Saved | undefined) {
    this.#file = file;
    this.#saved = saved;
  }

  /**
   * @param folder where runs of its kind are kept
   * @param read what a file's JSON holds, `undefined` for anything else
   */
  static async of<Saved>(
    folder: string,
    identity: RunIdentity,
    read: (json: unknown) => Saved | undefined,
  ): Promise<UnfinishedRun<Saved>> {
    const file = join(configDir(), folder, `${await digestOf(identity)}.json`);
    return new UnfinishedRun(file, savedIn(file, read));
  }

  /** Every unfinished run of a kind. */
  static all<Saved>(folder: string, read: (json: unknown) => Saved | undefined): UnfinishedRun<Saved>[] {
    const path = join(configDir(), folder);
    return filesOf(path).map((name) => new UnfinishedRun(join(path, name), savedIn(join(path, name), read)));
  }

  /** What to go on with. */
  get saved(): Saved | undefined {
    return this.#saved;
  }

  /** Keeps it before anything is sent. */
  save(saved: Saved): void {
    if (JSON.stringify(saved) === JSON.stringify(this.#saved)) return;
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    writeFileSync(this.#file, `${JSON.stringify(saved)}\n`, { mode: 0o600 });
    this.#saved = saved;
  }

  /** Forgets it: the run is finished, or what it had sent is gone. */
  forget(): void {
    rmSync(this.#file, { force: true });
    this.#saved = undefined;
  }
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

function savedIn<Saved>(file: string, read: (json: unknown) => Saved | undefined): Saved | undefined {
  try {
    return read(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

async function digestOf({ profile, operands, manifests, choices = [] }: RunIdentity): Promise<string> {
  const hash = createHash("sha256");
  const paths = operands.map((operand) => resolve(operand));
  hash.update(JSON.stringify([profile.baseUrl, profile.token, paths, ...choices]));
  for (const manifest of manifests) {
    const blob = "jumbf" in manifest ? manifest.jumbf : manifest.json;
    const bytes = new Uint8Array(await blob.arrayBuffer());
    hash.update(JSON.stringify([manifest.kind, "jumbf" in manifest, bytes.length])).update(bytes);
  }
  return hash.digest("hex").slice(0, 32);
}
