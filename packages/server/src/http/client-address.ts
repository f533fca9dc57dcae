import type { IncomingMessage } from "node:http";
import { isIP, SocketAddress } from "node:net";
import type { AddressRanges } from "../config/address-ranges.ts";

const HEXTETS = 8;
const V6_BOUND_HEXTETS = 4;
const MAPPED = "::ffff:";

/**
 * What a request without a token is counted as: where it comes from, as far as that is bounded as one.
 * @param trusted proxies whose word on addresses is taken
 */
export function callerAddress({ headers, socket }: IncomingMessage, trusted: AddressRanges): string {
  const forwardedFor = headers["x-forwarded-for"]?.toString() ?? "";
  return boundedAs(clientAddress(socket.remoteAddress ?? "", forwardedFor, trusted));
}

/**
 * Whom a request comes from: the peer of its connection, or behind trusted proxies the rightmost address that no
 * trusted range holds. What is no address there was not written by a trusted proxy: then it is the proxy itself.
 * @param forwardedFor the `X-Forwarded-For` header
 */
export function clientAddress(peer: string, forwardedFor: string, trusted: AddressRanges): string {
  let client = unmapped(peer);
  for (const named of forwardedFor.split(",").toReversed()) {
    if (!trusted.has(client)) break;
    const address = unmapped(named.trim());
    if (isIP(address) === 0) break;
    client = address;
  }
  return client;
}

/** What is bounded as one: an IPv4 address, or the /64 of an IPv6 one, which is what a single customer is given. */
export function boundedAs(address: string): string {
  if (isIP(address) !== 6) return address;
  // Written in the one way of RFC 5952; a scope's name bounds nothing.
  const [bare = ""] = address.split("%");
  const { address: canonical } = new SocketAddress({ address: bare, family: "ipv6" });
  const [head = "", tail = ""] = canonical.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: HEXTETS - first.length - last.length }, () => "0");
  return [...first, ...zeros, ...last].slice(0, V6_BOUND_HEXTETS).join(":");
}

/** An IPv4 address as itself, where a socket for both families shows it within IPv6 (RFC 4291 section 2.5.5.2). */
function unmapped(address: string): string {
  const inner = address.toLowerCase().startsWith(MAPPED) ? address.slice(MAPPED.length) : "";
  return isIP(inner) === 4 ? inner : address;
}
