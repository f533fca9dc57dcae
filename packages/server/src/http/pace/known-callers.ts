import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { AddressRanges } from "../../config/address-ranges.ts";
import { callerAddress } from "../client-address.ts";
import type { Share } from "./loop-pace.ts";

/** Tokens that are remembered; beyond them, those that were shown first are forgotten. */
const MOST_KNOWN = 16_384;

/**
 * On whose behalf a request is, before its token has been looked up: whose it was when it was shown last, else a
 * stranger's. It opens nothing: a token that has been revoked is refused in the turn of the account that it belonged
 * to.
 */
export class KnownCallers {
  readonly #trusted: AddressRanges;
  /** By the SHA-256 of the header that carries the token, in the order in which they were shown first. */
  readonly #shares = new Map<string, Share>();

  /** @param trusted proxies whose word on addresses is taken */
  constructor(trusted: AddressRanges) {
    this.#trusted = trusted;
  }

  /** On whose behalf a request seems to be. */
  of(request: IncomingMessage): Share {
    const { authorization } = request.headers;
    const known = authorization && this.#shares.get(digest(authorization));
    return known || { key: callerAddress(request, this.#trusted), isStranger: true };
  }

  /** Takes note whose token a request carries, now that it has been looked up. @param key the account's id, for one */
  remember({ headers: { authorization } }: IncomingMessage, key: string): Share {
    const share = { key, isStranger: false };
    if (authorization === undefined) return share;
    const shown = digest(authorization);
    if (this.#shares.get(shown)?.key === key) return share;
    this.#shares.set(shown, share);
    const [oldest] = this.#shares.keys();
    if (this.#shares.size > MOST_KNOWN && oldest !== undefined) this.#shares.delete(oldest);
    return share;
  }
}

function digest(authorization: string): string {
  return hash("sha256", authorization, "base64");
}
