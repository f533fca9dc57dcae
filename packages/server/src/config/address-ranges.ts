import { BlockList, isIP } from "node:net";

/** Ranges of addresses in CIDR notation (RFC 4632). */
export class AddressRanges {
  readonly #list = new BlockList();

  /** @throws {TypeError} for a text that is no range */
  constructor(ranges: readonly string[]) {
    for (const range of ranges) this.#add(range);
  }

  has(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#list.check(address, family === 6 ? "ipv6" : "ipv4");
  }

  #add(range: string): void {
    const [, network = "", prefix] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
    const family = isIP(network);
    const most = family === 6 ? 128 : 32;
    const bits = prefix === undefined ? most : Number(prefix);
    if (family === 0 || bits > most) throw new TypeError(`${range} is not a range of addresses`);
    this.#list.addSubnet(network, bits, family === 6 ? "ipv6" : "ipv4");
  }
}
