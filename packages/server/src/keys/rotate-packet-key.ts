import { randomBytes } from "node:crypto";
import { type Database, type Write, writing } from "../store/database.ts";
import { insertSealedKey, lockKeys } from "../store/keys.ts";
import {
  advanceRotation,
  endRotation,
  insertRotation,
  lockPacketKeys,
  nextSealed,
  nextUnpublished,
  packetKeyName,
  replacePackets,
  replaceRankingParts,
  replaceUnpublished,
  rotationUnderWay,
  sealedPacketKeys,
} from "../store/packet-keys.ts";
import { PacketSeal } from "./packet-seal.ts";
import type { Vault } from "./vault.ts";

/** Packets sealed again in one transaction: some 3 MB. */
const STRETCH = 100;

/** How far a rotation is. */
export interface RotationProgress {
  /** Image numbers up to which originals are sealed again, and those that are to be. */
  readonly done: number;
  readonly of: number;
}

/**
 * Gives packets another key, and seals again what earlier ones had sealed, a stretch in each transaction, while
 * processes look up and register. Interrupted, the next call goes on where it ended. Earlier keys stay: they open what
 * a process had sealed and not stored yet, until it is published.
 * @throws Error when the deployment has no keys yet; SealBroken
 */
export async function rotatePacketKey(
  database: Database,
  vault: Vault,
  onProgress: (progress: RotationProgress) => void,
): Promise<void> {
  await writing(database, (write) => begin(write, vault));
  const seal = await PacketSeal.open(database, () => Promise.resolve(vault));
  if (seal === null) throw new Error("The deployment has no key for packets.");
  for (const table of ["slotEntry", "framePacket"] as const) {
    for (let after: number | null = -1; after !== null; ) {
      const from: number = after;
      after = await writing(database, (write) => sealUnpublished(write, seal, table, from));
    }
  }
  for (let progress: RotationProgress | null; ; onProgress(progress)) {
    progress = await writing(database, (write) => sealStretch(write, seal));
    if (progress === null) break;
  }
}

/** Makes the next key, unless a rotation is under way. */
async function begin(write: Write, vault: Vault): Promise<void> {
  await lockKeys(write);
  if ((await rotationUnderWay(write)) !== null) return;
  await lockPacketKeys(write);
  const keys = await sealedPacketKeys(write);
  if (keys.length === 0) throw new Error("The deployment has no keys yet: start its service once.");
  const keyNumber = keys.length + 1;
  const name = packetKeyName(keyNumber);
  // So that no key is made that the deployment's key-encryption key does not open.
  for (const { name: known, sealed } of keys) vault.open(sealed, known).fill(0);
  await insertSealedKey(write, name, vault.seal(randomBytes(32), name));
  await insertRotation(write, keyNumber);
}

/** Seals the next originals again. @returns how far it is; null when the rotation has come to its end */
async function sealStretch(write: Write, seal: PacketSeal): Promise<RotationProgress | null> {
  const rotation = await rotationUnderWay(write);
  if (rotation === null) return null;
  const originals = await nextSealed(write, rotation, STRETCH);
  const last = originals.at(-1);
  if (last === undefined) {
    await endRotation(write, rotation.keyNumber);
    return null;
  }
  const [packets, parts] = [new Map<number, Buffer>(), new Map<number, Buffer>()];
  for (const { imageNo, packet, part } of originals) {
    const again = await seal.again(packet);
    if (again !== null) packets.set(imageNo, again);
    const partAgain = part && (await seal.rankingPartAgain(part));
    if (partAgain !== null) parts.set(imageNo, partAgain);
  }
  await replacePackets(write, packets);
  await replaceRankingParts(write, parts);
  await advanceRotation(write, rotation.keyNumber, last.imageNo);
  return { done: last.imageNo, of: rotation.lastImageNo };
}

/** Seals the next packets of slots or sequences again. @returns the key of the last one; null when there is none */
async function sealUnpublished(
  write: Write,
  seal: PacketSeal,
  table: "slotEntry" | "framePacket",
  after: number,
): Promise<number | null> {
  const unpublished = await nextUnpublished(write, table, after, STRETCH);
  const packets = new Map<number, Buffer>();
  for (const { id, packet } of unpublished) {
    const again = await seal.again(packet);
    if (again !== null) packets.set(id, again);
  }
  await replaceUnpublished(write, table, packets);
  return unpublished.at(-1)?.id ?? null;
}
