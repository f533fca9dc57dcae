import { manifestSentence } from "@colophon/contract";
import type { StoredManifest } from "@colophon/formats";
import type { ByteBudget } from "../../custody/body-budget.ts";
import { type ManifestLimits, ManifestPart } from "./manifest-part.ts";
import type { PartHeaders } from "./part-headers.ts";

/** The manifests of an image that is not refused. */
interface Kept {
  readonly whole: StoredManifest[];
  /** Bytes of the budget that the parts of `whole` hold. */
  heldBytes: number;
  /** The part that is being read. */
  open: ManifestPart | null;
}

/**
 * The manifest parts before one image. Once the image is refused, by a fault of theirs for one, nothing of them is
 * kept.
 */
export class ImageManifests {
  readonly #limits: ManifestLimits;
  readonly #budget: ByteBudget;
  #parts = 0;
  /** Or the sentence that says why the image is refused. */
  #kept: Kept | string = { whole: [], heldBytes: 0, open: null };

  constructor(limits: ManifestLimits, budget: ByteBudget) {
    this.#limits = limits;
    this.#budget = budget;
  }

  /** Whether no part has begun. */
  get isEmpty(): boolean {
    return this.#parts === 0;
  }

  /** The manifests, or the sentence that says why the image is refused. */
  get outcome(): readonly StoredManifest[] | string {
    return typeof this.#kept === "string" ? this.#kept : this.#kept.whole;
  }

  /** Bytes they hold of their budget, until the caller gives them back. */
  get heldBytes(): number {
    if (typeof this.#kept === "string") return 0;
    return this.#kept.heldBytes + (this.#kept.open?.byteLength ?? 0);
  }

  begin(headers: PartHeaders): void {
    if (typeof this.#kept !== "string") {
      this.#kept.open = new ManifestPart(headers, this.#parts, this.#limits, this.#budget);
    }
    this.#parts += 1;
  }

  /** @throws Refusal serviceUnavailable when there is no room for them */
  append(bytes: Uint8Array): void {
    if (typeof this.#kept !== "string") this.#kept.open?.append(bytes);
  }

  end(): void {
    if (typeof this.#kept === "string" || this.#kept.open === null) return;
    const manifest = this.#kept.open.close();
    if (typeof manifest === "string") {
      this.refuse(manifestSentence(manifest, this.#limits.maxManifestsPerImage));
      return;
    }
    this.#kept.whole.push(manifest);
    this.#kept.heldBytes += this.#kept.open.byteLength;
    this.#kept.open = null;
  }

  /** Lets go of them: the image is refused with this sentence. */
  refuse(sentence: string): void {
    this.#budget.giveBack(this.heldBytes);
    this.#kept = sentence;
  }
}
