import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ManifestFile } from "./manifest-files.ts";
import { configDir, type Profile } from "./profile.ts";

/** What makes a batch the same batch when it is run again. */
export interface BatchIdentity {
  readonly profile: Profile;
  readonly operands: readonly string[];
  readonly manifests: readonly ManifestFile[];
}

/**
 * The slot of an unfinished batch, in a file beside the profile, so that the same command run again goes on with it. The
 * file's name is a digest of service, token, paths and manifests: another account or other manifests make another batch.
 */
export class BatchState {
  readonly #file: string;
  #slotId: string | undefined;

  private constructor(file: string, slotId: string | undefined) {
    this.#file = file;
    this.#slotId = slotId;
  }

  static async of(identity: BatchIdentity): Promise<BatchState> {
    const file = join(configDir(), "batches", `${await digestOf(identity)}.json`);
    return new BatchState(file, savedSlot(file));
  }

  /** The slot to go on with. */
  get slotId(): string | undefined {
    return this.#slotId;
  }

  /** Keeps the slot before anything is sent to it. */
  save(slotId: string): void {
    if (slotId === this.#slotId) return;
    mkdirSync(join(configDir(), "batches"), { recursive: true, mode: 0o700 });
    writeFileSync(this.#file, `${JSON.stringify({ slotId })}\n`, { mode: 0o600 });
    this.#slotId = slotId;
  }

  /** Forgets the slot: it is finished, or gone. */
  forget(): void {
    rmSync(this.#file, { force: true });
    this.#slotId = undefined;
  }
}

function savedSlot(file: string): string | undefined {
  try {
    const { slotId }: { slotId?: unknown } = JSON.parse(readFileSync(file, "utf8"));
    return typeof slotId === "string" ? slotId : undefined;
  } catch {
    return undefined;
  }
}

async function digestOf({ profile, operands, manifests }: BatchIdentity): Promise<string> {
  const hash = createHash("sha256");
  const paths = operands.map((operand) => resolve(operand));
  hash.update(JSON.stringify([profile.baseUrl, profile.token, paths]));
  for (const manifest of manifests) {
    const blob = "jumbf" in manifest ? manifest.jumbf : manifest.json;
    const bytes = new Uint8Array(await blob.arrayBuffer());
    hash.update(JSON.stringify([manifest.kind, "jumbf" in manifest, bytes.length])).update(bytes);
  }
  return hash.digest("hex").slice(0, 32);
}
