import type { AccountStats, Inspection, LookupVerdict, Registration } from "@colophon/contract";
import { Library } from "./routes/library.ts";
import { LookupSlots } from "./routes/lookup-slots.ts";
import { type ImageInput, jsonPayload, type UploadInput, uploadPayload } from "./http/parts.ts";
import { type RecordAnswer, recordAnswer, recordAnswers } from "./routes/record-answer.ts";
import { RegistrationSlots } from "./routes/registration-slots.ts";
import { Sequences } from "./routes/sequences.ts";
import { type CallOptions, type ClientOptions, Transport } from "./http/transport.ts";

/** An original found in an image, where it lies, and its record. */
export type Identified = Inspection["matches"][number] & { readonly record: RecordAnswer };

/**
 * The routes of one account, in a browser or in Node from version 20.
 *
 * A refusal is thrown as `ColophonError`, a missing answer as `ColophonConnectionError`. A call that the service asks
 * to repeat (503 with `Retry-After`) is repeated after that time; no call is ever repeated that may have been charged.
 *
 * @example
 * const mine = new ColophonClient({ baseUrl, token });
 * const json = { entries: { "cawg.ai_generative_training": { use: "notAllowed" } } };
 * const manifests = [{ kind: "cawg.training-mining", json }];
 * const { originalImageHash } = await mine.register(photo, { manifests });
 * console.log((await mine.lookUp(photo)).matched); // true
 * console.log((await mine.record(originalImageHash)).outcome); // "published"
 */
export class ColophonClient {
  /** Registration slots. */
  readonly slots: RegistrationSlots;
  /** Look-up slots. */
  readonly lookupSlots: LookupSlots;
  /** Sequences, for accounts that may use them. */
  readonly sequences: Sequences;
  /** What is the account's own. */
  readonly library: Library;
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.slots = new RegistrationSlots(this.#transport);
    this.lookupSlots = new LookupSlots(this.#transport);
    this.sequences = new Sequences(this.#transport);
    this.library = new Library(this.#transport);
  }

  /**
   * Registers one image with its manifests. Spends one registration, or one look-up when it turns out to be registered
   * already (`imageNotRegistered`).
   *
   * @example
   * const json = { entries: { "cawg.ai_generative_training": { use: "notAllowed" } } };
   * const manifests = [{ kind: "cawg.training-mining", json }];
   * const { id, originalImageHash } = await client.register(photo, { manifests });
   * console.log(id, originalImageHash);
   */
  register(
    image: ImageInput,
    { manifests = [], ...options }: CallOptions & Pick<UploadInput, "manifests"> = {},
  ): Promise<Registration> {
    const payload = uploadPayload([{ image, manifests }]);
    return this.#transport.json({ ...options, method: "POST", path: "/registrations", payload });
  }

  /**
   * Asks whether any account holds a live registration of the image or of an original it derives from. Spends one
   * look-up.
   *
   * @example
   * const { matched, matchedOriginalImageHashes } = await client.lookUp(photo);
   * console.log(matched ? matchedOriginalImageHashes : "nobody holds it");
   */
  lookUp(image: ImageInput, options: CallOptions = {}): Promise<LookupVerdict> {
    const payload = uploadPayload([{ image }]);
    return this.#transport.json({ ...options, method: "POST", path: "/lookup", payload });
  }

  /**
   * Looks an image up and says where each original lies in it: its corners, which part of it shows, mirrored or turned,
   * and whether it is the account's own. Spends one look-up. Refused as `notFound` where the deployment has it switched
   * off.
   *
   * @example
   * await client.register(photo);
   * const { matches } = await client.inspect(photo);
   * console.log(matches[0].relation); // "identical"
   */
  inspect(image: ImageInput, options: CallOptions = {}): Promise<Inspection> {
    const payload = uploadPayload([{ image }]);
    return this.#transport.json({ ...options, method: "POST", path: "/inspect", payload });
  }

  /**
   * Looks an image up and reads the record of each original found in it. Spends one look-up, and one for each record
   * that is published or was taken down.
   *
   * @example
   * const manifests = [{ kind: "credit", json: { creator: "Harbour Press" } }];
   * await client.register(photo, { manifests });
   * const [found] = await client.identify(photo);
   * console.log(found.record.outcome); // "published"
   */
  async identify(image: ImageInput, options: CallOptions = {}): Promise<Identified[]> {
    const { matches } = await this.inspect(image, options);
    if (matches.length === 0) return [];
    const records = await this.records(
      matches.map(({ originalImageHash }) => originalImageHash),
      options,
    );
    return matches.flatMap((match, at) => {
      const record = records[at];
      return record === undefined ? [] : [{ ...match, record }];
    });
  }

  /**
   * Reads the record of an original image. Spends one look-up unless nothing is known of the hash.
   *
   * @example
   * const { originalImageHash } = await client.register(photo);
   * const record = await client.record(originalImageHash);
   * for (const { name, result, sentence } of verifyRecord(record)) console.log(result, name, sentence);
   */
  async record(originalImageHash: string, options: CallOptions = {}): Promise<RecordAnswer> {
    const path = `/records/${encodeURIComponent(originalImageHash)}`;
    return recordAnswer(await this.#transport.text({ ...options, method: "GET", path }));
  }

  /**
   * Reads the records of a list of originals, one answer per hash in the order asked. A hash that is refused or has to
   * be asked again leaves the others alone and says why in `failureReason`.
   *
   * @example
   * const { originalImageHash } = await client.register(photo);
   * const records = await client.records([originalImageHash, "00".repeat(32)]);
   * console.log(records.map(({ outcome }) => outcome)); // ["published", "noRecordAnswered"]
   */
  async records(originalImageHashes: readonly string[], options: CallOptions = {}): Promise<RecordAnswer[]> {
    const payload = jsonPayload({ originalImageHashes });
    return recordAnswers(
      await this.#transport.text({ ...options, method: "POST", path: "/records", payload }),
    );
  }

  /**
   * Reads the proof that a published record is in the service's log, a text for `verifyLogProof` of `@colophon/log`;
   * one of a record that was published just now is waited for. Free. Refused as `proofNotFound` without such a record.
   *
   * @example
   * const { originalImageHash } = await client.register(photo);
   * console.log((await client.logProof(originalImageHash)).split("\n")[0]); // "c2sp.org/tlog-proof@v1"
   */
  logProof(originalImageHash: string, options: CallOptions = {}): Promise<string> {
    const path = `/log/proofs/${encodeURIComponent(originalImageHash)}`;
    return this.#transport.text({ ...options, method: "GET", path, free: true });
  }

  /**
   * Takes a registration of the account's own down, for good. The image stops matching and may be registered again.
   *
   * @example
   * const { id } = await client.register(photo);
   * await client.takeDown(id);
   */
  async takeDown(registrationId: string, options: CallOptions = {}): Promise<void> {
    const path = `/registrations/${encodeURIComponent(registrationId)}`;
    await this.#transport.json({ ...options, method: "DELETE", path });
  }

  /**
   * Reads the account's grants and use.
   *
   * @example
   * const { registrations, lookups } = await client.stats();
   * console.log(`${registrations.remaining} registrations and ${lookups.remaining} look-ups left`);
   */
  stats(options: CallOptions = {}): Promise<AccountStats> {
    return this.#transport.json({ ...options, method: "GET", path: "/account/stats", free: true });
  }
}
