import type { IncomingMessage } from "node:http";
import { type NamedRoute, PUBLIC_READS, refuse } from "@colophon/contract";
import type { AddressRanges } from "../../config/address-ranges.ts";
import type { Config } from "../../config/environment.ts";
import type { Account } from "../../store/accounts/grants.ts";
import { boundedAs, clientAddress } from "./client-address.ts";
import { RateLimit } from "./rate-limit.ts";

type Settings = Pick<
  Config,
  "public" | "publicLookupsPerMinute" | "publicRecordsPerMinute" | "trustedProxies"
>;

/** Which reads callers without a token may make, and how often from one address. */
export class AnonymousCallers {
  readonly #account: Account;
  readonly #open: Settings["public"];
  readonly #trusted: AddressRanges;
  readonly #limits: Readonly<Record<"records" | "lookups", RateLimit>>;

  /** @param account the one that all of them share */
  constructor(settings: Settings, account: Account) {
    this.#account = account;
    this.#open = settings.public;
    this.#trusted = settings.trustedProxies;
    this.#limits = {
      records: new RateLimit(settings.publicRecordsPerMinute),
      lookups: new RateLimit(settings.publicLookupsPerMinute),
    };
  }

  /**
   * The account under which a request is answered without a token; null where it needs one, and where one was sent. What is
   * admitted counts, whatever its answer.
   * @throws Refusal tooManyRequests
   */
  admit({ public: reads }: NamedRoute, { headers, socket }: IncomingMessage): Account | null {
    if (reads === undefined || headers.authorization !== undefined) return null;
    if (PUBLIC_READS.indexOf(reads) > PUBLIC_READS.indexOf(this.#open)) return null;
    const forwardedFor = headers["x-forwarded-for"]?.toString() ?? "";
    const caller = boundedAs(clientAddress(socket.remoteAddress ?? "", forwardedFor, this.#trusted));
    const retryAfterSeconds = this.#limits[reads].count(caller);
    if (retryAfterSeconds > 0) throw refuse("tooManyRequests", { retryAfterSeconds });
    return this.#account;
  }
}
