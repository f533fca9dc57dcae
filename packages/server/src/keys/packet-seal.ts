import { setImmediate } from "node:timers/promises";
import { makeRankingPart } from "@colophon/engine";
import type { Read, Write } from "../store/database.ts";
import { onBehalfOfAll } from "../store/fair-pool.ts";
import { packetKeysInUse, sealedPacketKeys } from "../store/packet-keys.ts";
import { Vault } from "./vault.ts";

/** The vault of the deployment's keys as they are sealed now: its key-encryption key may have been rotated since. */
export type OpenVault = () => Promise<Vault>;

const PACKET = "registration packet";
const RANKING_PART = "ranking part";

/** A packet as it is published. */
interface SealedForPublication {
  readonly packet: Buffer;
  /** Null when the packet cannot be read. */
  readonly part: Buffer | null;
}

/**
 * How registration packets, and the ranking parts made of them, are sealed at rest: under the latest of the
 * deployment's keys for packets. What earlier ones sealed opens as well. Keys that come while the process lives are
 * read when a seal does not open, and by every publication.
 */
export class PacketSeal {
  readonly #read: Read;
  readonly #openVault: OpenVault;
  /** In the order in which they came; the last one seals. */
  #keys: readonly Vault[] = [];

  private constructor(read: Read, openVault: OpenVault) {
    this.#read = read;
    this.#openVault = openVault;
  }

  /**
   * Opens the deployment's keys for packets; null while it has none.
   * @param openVault asked again for keys that come later
   * @throws SealBroken when the key-encryption key is not the one they were sealed under
   */
  static async open(read: Read, openVault: OpenVault): Promise<PacketSeal | null> {
    const seal = new PacketSeal(read, openVault);
    return (await seal.#learn()) ? seal : null;
  }

  seal(packet: Uint8Array): Buffer {
    return this.#latest.seal(packet, PACKET);
  }

  /** The packet, or null when the seal does not open: other bytes, or a key that the deployment does not have. */
  open(sealed: Uint8Array): Promise<Buffer | null> {
    return this.#open(sealed, PACKET);
  }

  /** The ranking part, or null when the seal does not open. */
  openRankingPart(sealed: Uint8Array): Promise<Buffer | null> {
    return this.#open(sealed, RANKING_PART);
  }

  /** Has this process know the latest key, and no later one come before the transaction ends. */
  async hold(write: Write): Promise<void> {
    if ((await packetKeysInUse(write)) > this.#keys.length) await this.#learn(write);
  }

  /** A packet under the latest key, and the ranking part of its original, which is filed under these words. */
  async forPublication(sealedPacket: Buffer, words: Int32Array): Promise<SealedForPublication> {
    const packet = await this.open(sealedPacket);
    if (packet === null) return { packet: sealedPacket, part: null };
    const part = makeRankingPart(packet, words);
    const sealed = this.#latest.opens(sealedPacket, PACKET) ? sealedPacket : this.seal(packet);
    packet.fill(0);
    return { packet: sealed, part: part && this.#latest.seal(part, RANKING_PART) };
  }

  /** A packet sealed again under the latest key; null when it is already, or does not open. */
  async again(sealedPacket: Buffer): Promise<Buffer | null> {
    return this.#again(sealedPacket, PACKET);
  }

  /** Likewise a ranking part. */
  async rankingPartAgain(sealedPart: Buffer): Promise<Buffer | null> {
    return this.#again(sealedPart, RANKING_PART);
  }

  get #latest(): Vault {
    const latest = this.#keys.at(-1);
    if (latest === undefined) throw new TypeError("The deployment has no key for packets.");
    return latest;
  }

  async #again(sealed: Buffer, purpose: string): Promise<Buffer | null> {
    if (this.#latest.opens(sealed, purpose)) return null;
    const plain = await this.#open(sealed, purpose);
    const again = plain && this.#latest.seal(plain, purpose);
    plain?.fill(0);
    return again;
  }

  async #open(sealed: Uint8Array, purpose: string): Promise<Buffer | null> {
    const known = this.#tried(sealed, purpose);
    if (known !== null) return known;
    // Often within a transaction: it must not wait for a second connection among those of its account.
    return (await onBehalfOfAll(() => this.#learn())) ? this.#tried(sealed, purpose) : null;
  }

  #tried(sealed: Uint8Array, purpose: string): Buffer | null {
    for (const key of this.#keys.toReversed()) {
      const plain = key.tryOpen(sealed, purpose);
      if (plain !== null) return plain;
    }
    return null;
  }

  /** Reads the keys that came since. @returns whether there were any */
  async #learn(read = this.#read): Promise<boolean> {
    const stored = await sealedPacketKeys(read);
    if (stored.length <= this.#keys.length) return false;
    const vault = await this.#openVault();
    this.#keys = stored.map(({ name, sealed }) => new Vault(vault.open(sealed, name)));
    return true;
  }
}

/** What is unsealed in one turn of the event loop, about a millisecond. */
const UNSEALED_AT_ONCE = 80;

/** Lets others be answered, now and then while much is unsealed. */
export async function breathe(unsealed: number): Promise<void> {
  if (unsealed % UNSEALED_AT_ONCE === UNSEALED_AT_ONCE - 1) await setImmediate();
}
