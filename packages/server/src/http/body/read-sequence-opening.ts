import { refuse } from "@colophon/contract";
import type { StoredManifest } from "@colophon/formats";
import type { Config } from "../../config/environment.ts";
import type { SequenceOpening } from "../../registry/sequences/open-sequence.ts";
import type { ByteBudget } from "../../custody/body-budget.ts";
import type { Body } from "./body.ts";
import { isManifestName, ManifestPart } from "./manifest-part.ts";
import type { MultipartEvent } from "./multipart.ts";
import type { PartHeaders } from "./part-headers.ts";

/** No number that is exact as a JSON number has more digits, leading zeroes aside. */
const MOST_DIGITS = 32;

/**
 * Reads the body of `POST /sequences`: manifests and the size expected, in any order.
 * @throws Refusal malformedRequest, invalidManifest, manifestTooLarge, requestTooLarge, serviceUnavailable
 */
export async function readSequenceOpening(body: Body, config: Config): Promise<SequenceOpening> {
  const reader = new OpeningReader(config, body.hold);
  for await (const event of body.parts(config.maxRequestBytes)) reader.take(event);
  return reader.result();
}

/** A positive integer that JSON states exactly. @throws Refusal malformedRequest */
export function positiveSize(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  throw refuse("malformedRequest", "expectedSizeNotPositive");
}

class OpeningReader {
  readonly #config: Config;
  readonly #budget: ByteBudget;
  readonly #manifests: StoredManifest[] = [];
  #manifest: ManifestPart | null = null;
  /** The text of `expectedSize` as far as it has come. */
  #size: string | null = null;

  constructor(config: Config, budget: ByteBudget) {
    this.#config = config;
    this.#budget = budget;
  }

  take(event: MultipartEvent): void {
    switch (event.type) {
      case "open":
        this.#begin(event.headers);
        break;
      case "bytes":
        if (this.#manifest) this.#manifest.append(event.bytes);
        else this.#appendSize(event.bytes);
        break;
      case "close":
        if (this.#manifest) this.#manifests.push(this.#manifest.finish());
        this.#manifest = null;
        break;
      default:
        event satisfies never;
    }
    this.#manifest?.assertSound();
  }

  result(): SequenceOpening {
    return { expectedSize: this.#expectedSize(), manifests: this.#manifests };
  }

  #begin(headers: PartHeaders): void {
    if (isManifestName(headers.name)) {
      this.#manifest = new ManifestPart(headers, this.#manifests.length, this.#config, this.#budget);
      return;
    }
    if (headers.name !== "expectedSize" || headers.fileName !== null) {
      throw refuse("malformedRequest", "unexpectedPart");
    }
    if (this.#size !== null) throw refuse("malformedRequest", "expectedSizeRepeated");
    this.#size = "";
  }

  #appendSize(bytes: Uint8Array): void {
    this.#size += Buffer.from(bytes).toString("latin1");
    if ((this.#size?.length ?? 0) > MOST_DIGITS) throw refuse("malformedRequest", "expectedSizeNotPositive");
  }

  #expectedSize(): number | null {
    if (this.#size === null) return null;
    return positiveSize(/^\d+$/.test(this.#size) ? Number(this.#size) : null);
  }
}
