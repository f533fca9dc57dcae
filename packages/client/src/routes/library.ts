import type {
  LibraryLookupSlots,
  LibraryRegistration,
  LibraryRegistrations,
  LibrarySequences,
  LibrarySlots,
} from "@colophon/contract";
import type { CallOptions, Transport } from "../http/transport.ts";

/** Which of the account's registrations to list. */
export interface LibraryQuery extends CallOptions {
  /** The `next` of the page before. */
  readonly after?: string | undefined;
  /** Most registrations of the page, 1 to 200; 50 where it is left out. */
  readonly limit?: number | undefined;
  /** Only the registration of these bytes: their SHA-256. */
  readonly imageHash?: string | undefined;
  /** Only the registration, or the frame of a sequence, whose record is read under this hash. */
  readonly originalImageHash?: string | undefined;
}

/** What is the account's own. Free. */
export class Library {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * A page of the account's registrations, newest first.
   *
   * @example
   * await client.register(photo);
   * const { registrations, next } = await client.library.registrations({ limit: 20 });
   * console.log(registrations.length); // 1
   * console.log(next); // null
   */
  registrations(query: LibraryQuery = {}): Promise<LibraryRegistrations> {
    const { signal, ...filters } = query;
    const given = Object.entries(filters).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return this.#read(`registrations?${search}`, { signal });
  }

  /**
   * Every registration of the account, newest first, page after page.
   *
   * @example
   * await client.register(photo);
   * for await (const { registeredAt, originalImageHash } of client.library.all()) {
   *   console.log(registeredAt, originalImageHash);
   * }
   */
  async *all(options: CallOptions = {}): AsyncGenerator<LibraryRegistration> {
    let after: string | undefined;
    do {
      const page = await this.registrations({ ...options, after, limit: 200 });
      yield* page.registrations;
      after = page.next ?? undefined;
    } while (after !== undefined);
  }

  /**
   * One registration of the account. Refused as `registrationNotFound` when it has no such live registration.
   *
   * @example
   * const { id } = await client.register(photo);
   * console.log((await client.library.registration(id)).source); // "single"
   */
  registration(registrationId: string, options: CallOptions = {}): Promise<LibraryRegistration> {
    return this.#read(`registrations/${encodeURIComponent(registrationId)}`, options);
  }

  /**
   * The account's open registration slots, newest first.
   *
   * @example
   * const { slotId } = await client.slots.open();
   * console.log((await client.library.slots()).some((slot) => slot.slotId === slotId)); // true
   */
  async slots(options: CallOptions = {}): Promise<LibrarySlots["slots"]> {
    return (await this.#read<LibrarySlots>("slots", options)).slots;
  }

  /**
   * The account's open look-up slots, newest first.
   *
   * @example
   * console.log((await client.library.lookupSlots()).length); // 0
   */
  async lookupSlots(options: CallOptions = {}): Promise<LibraryLookupSlots["lookupSlots"]> {
    return (await this.#read<LibraryLookupSlots>("lookup-slots", options)).lookupSlots;
  }

  /**
   * The account's open and sealed sequences, newest first. Takes no ticket.
   *
   * @example
   * const { sequenceId } = await client.sequences.open();
   * const [newest] = await client.library.sequences();
   * console.log(newest.sequenceId === sequenceId); // true
   */
  async sequences(options: CallOptions = {}): Promise<LibrarySequences["sequences"]> {
    return (await this.#read<LibrarySequences>("sequences", options)).sequences;
  }

  #read<Answer>(below: string, options: CallOptions): Promise<Answer> {
    return this.#transport.json({ ...options, method: "GET", path: `/library/${below}`, free: true });
  }
}
