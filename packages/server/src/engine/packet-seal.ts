import { SealBroken, type Vault } from "../keys/vault.ts";

const PURPOSE = "registration packet";

/** How registration packets are sealed at rest. */
export class PacketSeal {
  readonly #vault: Vault;

  /** @param vault under the deployment's key for packets */
  constructor(vault: Vault) {
    this.#vault = vault;
  }

  seal(packet: Uint8Array): Buffer {
    return this.#vault.seal(packet, PURPOSE);
  }

  /** The packet, or null when the seal does not open: other bytes, or another key. */
  open(sealed: Uint8Array): Buffer | null {
    try {
      return this.#vault.open(sealed, PURPOSE);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }
}
