import { type ManifestFault, type Refusal, refuseManifest } from "@colophon/contract";
import {
  isManifestKind,
  manifestForm,
  matchesForm,
  type StoredManifest,
  storedBytes,
} from "@colophon/formats";
import type { Config } from "../../config/environment.ts";
import type { ByteBudget } from "../../custody/body-budget.ts";
import type { PartHeaders } from "./part-headers.ts";

export type ManifestLimits = Pick<Config, "maxManifestBytes" | "maxManifestsPerImage">;

/** Whether a part's name is that of a manifest: `manifest` or `manifest[<kind>]`. */
export function isManifestName(name: string): boolean {
  return name === "manifest" || (name.startsWith("manifest[") && name.endsWith("]"));
}

/** Whether a part is a manifest where names mean nothing: one in name, and of a manifest's type. */
export function isManifest({ name, contentType }: PartHeaders): boolean {
  return isManifestName(name) && manifestForm(contentType ?? "") !== null;
}

/**
 * Collects one manifest part. A fault ends the request on some routes, and only its image on others. Once there is a
 * fault, further bytes are let go.
 */
export class ManifestPart {
  readonly #kind: string;
  readonly #form: ReturnType<typeof manifestForm>;
  readonly #limit: number;
  readonly #maxManifests: number;
  readonly #budget: ByteBudget;
  #chunks: Buffer[] = [];
  #length = 0;
  #fault: ManifestFault | null;

  /**
   * @param position how many manifests the image has already
   * @param budget where its bytes are counted, until the caller gives them back
   */
  constructor(headers: PartHeaders, position: number, limits: ManifestLimits, budget: ByteBudget) {
    this.#kind = headers.name.slice("manifest[".length, -1);
    this.#form = manifestForm(headers.contentType ?? "");
    this.#limit = limits.maxManifestBytes[this.#form ?? "json"];
    this.#maxManifests = limits.maxManifestsPerImage;
    this.#budget = budget;
    this.#fault = this.#headerFault(position >= this.#maxManifests);
  }

  /** @throws Refusal invalidManifest, manifestTooLarge for a fault so far */
  assertSound(): void {
    if (this.#fault) throw this.#refusal(this.#fault);
  }

  /** Bytes it holds of its budget. */
  get byteLength(): number {
    return this.#length;
  }

  /** @throws Refusal serviceUnavailable when there is no room for them */
  append(bytes: Uint8Array): void {
    if (this.#fault) return;
    if (this.#length + bytes.length > this.#limit) {
      this.#fault = "tooLarge";
      this.#chunks = [];
      this.#budget.giveBack(this.#length);
      this.#length = 0;
      return;
    }
    this.#budget.take(bytes.length);
    this.#length += bytes.length;
    this.#chunks.push(Buffer.from(bytes));
  }

  /** The manifest as it is stored, or what is wrong with it. */
  close(): StoredManifest | ManifestFault {
    if (this.#fault) return this.#fault;
    const payload = Buffer.concat(this.#chunks);
    this.#chunks = [];
    if (!this.#form || !matchesForm(this.#form, payload)) return "formMismatch";
    return { kind: this.#kind, form: this.#form, stored: storedBytes(this.#form, this.#kind, payload) };
  }

  /** The manifest as it is stored. @throws Refusal invalidManifest, manifestTooLarge */
  finish(): StoredManifest {
    const manifest = this.close();
    if (typeof manifest === "string") throw this.#refusal(manifest);
    return manifest;
  }

  #refusal(fault: ManifestFault): Refusal {
    return refuseManifest(fault, this.#maxManifests);
  }

  #headerFault(tooMany: boolean): ManifestFault | null {
    if (tooMany) return "tooMany";
    if (this.#kind === "") return "noKind";
    if (!isManifestKind(this.#kind)) return "badKind";
    return this.#form ? null : "unsupportedContentType";
  }
}
