import type { IncomingMessage } from "node:http";
import { type NamedRoute, PUBLIC_READS, refuse } from "@colophon/contract";
import type { AddressRanges } from "../../config/address-ranges.ts";
import type { Config } from "../../config/environment.ts";
import { type Account, type AccountSlots, NO_SLOTS } from "../../store/accounts/grants.ts";
import { callerAddress } from "../client-address.ts";
import { RateLimit } from "./rate-limit.ts";

type Settings = Pick<
  Config,
  "c2pa" | "public" | "publicLookupsPerMinute" | "publicRecordsPerMinute" | "trustedProxies"
>;

/** The account that answers, with its open slots. */
interface Caller {
  readonly account: Account;
  readonly slots: AccountSlots;
}

/** Which reads callers without a token may make, and how often from one address. */
export class AnonymousCallers {
  readonly #account: Account;
  readonly #settings: Pick<Settings, "c2pa" | "public">;
  readonly #trusted: AddressRanges;
  readonly #limits: Readonly<Record<"records" | "lookups", RateLimit>>;

  /** @param account the one that all of them share */
  constructor(settings: Settings, account: Account) {
    this.#account = account;
    this.#settings = settings;
    this.#trusted = settings.trustedProxies;
    this.#limits = {
      records: new RateLimit(settings.publicRecordsPerMinute),
      lookups: new RateLimit(settings.publicLookupsPerMinute),
    };
  }

  /**
   * The account under which a request is answered without a token; null where it needs one, and where one was sent.
   * What is admitted counts, whatever its answer.
   * @throws Refusal tooManyRequests
   */
  admit(route: NamedRoute, request: IncomingMessage): Caller | null {
    if (route.public === undefined || request.headers.authorization !== undefined) return null;
    if (!this.#isOpen(route, route.public)) return null;
    const caller = callerAddress(request, this.#trusted);
    const retryAfterSeconds = this.#limits[route.publicBound ?? route.public].count(caller);
    if (retryAfterSeconds > 0) throw refuse("tooManyRequests", { retryAfterSeconds });
    return { account: this.#account, slots: NO_SLOTS };
  }

  #isOpen({ setting }: NamedRoute, reads: "records" | "lookups"): boolean {
    const { c2pa, public: open } = this.#settings;
    if (setting === "COLOPHON_C2PA" && c2pa === "public") return true;
    return PUBLIC_READS.indexOf(reads) <= PUBLIC_READS.indexOf(open);
  }
}
