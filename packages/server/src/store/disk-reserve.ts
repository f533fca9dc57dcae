import { statfsSync } from "node:fs";

/**
 * The part of the reserve that is kept for what frees space; look-ups and record reads, which only add to ledgers, may
 * use the rest.
 */
const KEPT_FOR_DELETIONS = 0.25;

/** The disk has less room left than the service keeps free; an `ENOSPC` before the disk is full. */
export class ReserveUsedUp extends Error {
  override readonly name = "ReserveUsedUp";
  readonly code = "ENOSPC";
  constructor() {
    super("The disk has less room than COLOPHON_DISK_RESERVE asks for.");
  }
}

/** Room on the file system of the data directory that new work leaves untouched, so that deleting always works. */
export class DiskReserve {
  readonly #directory: string;
  readonly #reserve: number;
  readonly #holdsDatabase: boolean;
  #promised = 0;

  /**
   * @param reserve bytes that stay free
   * @param holdsDatabase whether the database is on this file system, or on one of the operator's
   */
  constructor(directory: string, reserve: number, holdsDatabase: boolean) {
    this.#directory = directory;
    this.#reserve = reserve;
    this.#holdsDatabase = holdsDatabase;
  }

  /** Whether all of the reserve is free, as far as the service stores on this disk. */
  get isFree(): boolean {
    return !this.#holdsDatabase || this.#has(this.#reserve);
  }

  /** For work that the database stores: originals, entries, frames, manifests. @throws ReserveUsedUp */
  assertRoomToStore(): void {
    if (!this.isFree) throw new ReserveUsedUp();
  }

  /**
   * For what an account stores and may let go of again: it may hold as much as it leaves free above the reserve, so
   * however many accounts hold all they can, there is room for one more.
   * @param held bytes that it holds, with those to come
   * @throws ReserveUsedUp
   */
  assertShare(held: number): void {
    if (!this.#has(this.#reserve + held)) throw new ReserveUsedUp();
  }

  /** For answers that add to ledgers alone. @throws ReserveUsedUp when what is kept for deletions is touched */
  assertRoomToLedger(): void {
    if (this.#holdsDatabase && !this.#has(this.#reserve * KEPT_FOR_DELETIONS)) throw new ReserveUsedUp();
  }

  /**
   * Runs `work`, which writes a file of so many bytes. Files written at once do not count on the same room.
   * @throws ReserveUsedUp
   */
  async withRoomFor<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (!this.#has(this.#reserve + this.#promised + bytes)) throw new ReserveUsedUp();
    this.#promised += bytes;
    try {
      return await work();
    } finally {
      this.#promised -= bytes;
    }
  }

  #has(bytes: number): boolean {
    const { bavail, bsize } = statfsSync(this.#directory);
    return bavail * bsize >= bytes;
  }
}
