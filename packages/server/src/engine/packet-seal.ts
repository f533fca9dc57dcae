import { setImmediate } from "node:timers/promises";
import { makeRankingPart } from "@colophon/engine";
import { SealBroken, type Vault } from "../keys/vault.ts";

const PACKET = "registration packet";
const RANKING_PART = "ranking part";

/** How registration packets, and the ranking parts made of them, are sealed at rest. */
export class PacketSeal {
  readonly #vault: Vault;

  /** @param vault under the deployment's key for packets */
  constructor(vault: Vault) {
    this.#vault = vault;
  }

  seal(packet: Uint8Array): Buffer {
    return this.#vault.seal(packet, PACKET);
  }

  /** The packet, or null when the seal does not open: other bytes, or another key. */
  open(sealed: Uint8Array): Buffer | null {
    return this.#open(sealed, PACKET);
  }

  /** The sealed ranking part of an original filed under these words, or null when its packet cannot be read. */
  rankingPartOf(sealedPacket: Uint8Array, words: Int32Array): Buffer | null {
    const packet = this.open(sealedPacket);
    if (packet === null) return null;
    const part = makeRankingPart(packet, words);
    packet.fill(0);
    return part === null ? null : this.#vault.seal(part, RANKING_PART);
  }

  /** The ranking part, or null when the seal does not open. */
  openRankingPart(sealed: Uint8Array): Buffer | null {
    return this.#open(sealed, RANKING_PART);
  }

  #open(sealed: Uint8Array, purpose: string): Buffer | null {
    try {
      return this.#vault.open(sealed, purpose);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }
}

/** What is unsealed in one turn of the event loop, about a millisecond. */
const UNSEALED_AT_ONCE = 20;

/** Lets others be answered, now and then while much is unsealed. */
export async function breathe(unsealed: number): Promise<void> {
  if (unsealed % UNSEALED_AT_ONCE === UNSEALED_AT_ONCE - 1) await setImmediate();
}
