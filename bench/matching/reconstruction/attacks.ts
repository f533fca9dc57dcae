import { createCipheriv, randomBytes } from "node:crypto";
import {
  BITS_STRIDE,
  encodePacket,
  type Features,
  fitPlane,
  LAYERS,
  type Luma,
  type Plane,
  readResidual,
  type ResidualLayer,
  resizeLuma,
  splitBands,
  type StoredOriginal,
} from "@colophon/engine/lab";
import { PACKET_KEY } from "../registered/subjects.ts";
import { BlockStatistics, type LayerDemand, fitBits, mapFromBits, openVectors } from "./blocks.ts";
import { DifferenceCanvas } from "./canvas.ts";
import { PatchDictionary } from "./patches.ts";
import { resized } from "./planes.ts";
import { indexSigns, packetSigns, type Signs, WholeModel } from "./whole.ts";

/** Nearest descriptors whose patches are averaged. */
const AMONG = 16;
/** Other pictures that a result is compared with, to tell likeness from chance. */
const STRANGERS = 40;
/** How strongly a picture drawn from points is kept while it is fitted to the keyed bits. */
const LOYALTY = 0.05;

/** A registered picture as the attack sees it, and the truth to compare with. */
export interface Subject {
  readonly original: StoredOriginal;
  readonly features: Features;
  readonly luma: Luma;
}

/** What the attacker has learned from pictures that are not the victim's. */
export class Attacker {
  readonly dictionary: PatchDictionary = new PatchDictionary();
  readonly whole: WholeModel = new WholeModel();
  readonly #statistics = new BlockStatistics();
  readonly strangers: Luma[] = [];

  learn({ features, luma }: Subject): void {
    this.dictionary.add(resizeLuma(luma, features.width, features.height), features);
    this.whole.add(luma);
    this.#statistics.add(luma, LAYERS[0]!.side);
    if (this.strangers.length < STRANGERS) this.strangers.push(luma);
  }

  byPoints(features: Features, signs: Signs | null): Plane {
    const canvas = new DifferenceCanvas(features.width, features.height);
    for (let point = 0; point < features.count; point += 1) {
      canvas.lay(this.dictionary.nearest(features, point, AMONG), features, point);
    }
    return canvas.solve(signs === null ? null : { model: this.whole, signs });
  }

  bySigns({ width, height }: Features, signs: Signs): Plane {
    return { width, height, data: this.whole.draw(signs, width, height) };
  }

  /** @param signs a map whose blocks lend the signs, which the bits leave open */
  firstMap({ layer, vectors }: LayerDemand, signs: Plane | null): Plane {
    return mapFromBits(layer, vectors, this.#statistics.covariance(), signs);
  }

  byBlocks(demands: readonly LayerDemand[]): Plane {
    const [coarse, finest = coarse] = demands;
    if (coarse === undefined || finest === undefined) throw new Error("The packet has no keyed signature.");
    const { width, height } = finest.layer;
    return fitBits(resized(this.firstMap(coarse, null), width, height), demands, 0);
  }
}

/** The points that bytes which are not a packet would give: what a packet shows while it is sealed. */
function sealedPoints(original: StoredOriginal, features: Features): Features {
  const cipher = createCipheriv("aes-256-gcm", randomBytes(32), randomBytes(12));
  const sealed = new Uint8Array(cipher.update(encodePacket(original)));
  const view = new DataView(sealed.buffer, sealed.byteOffset);
  const { count, width, height } = features;
  const column = (at: number, from: number, to: number): Float32Array =>
    Float32Array.from(
      { length: count },
      (_, k) => from + ((to - from) * view.getUint8(at * count + k)) / 256,
    );
  return {
    ...features,
    x: column(0, 0, width),
    y: column(1, 0, height),
    size: column(2, 2, 8),
    angle: column(3, 0, 2 * Math.PI),
    bits: Uint32Array.from({ length: BITS_STRIDE * count }, (_, k) => view.getUint32(4 * (count + k))),
  };
}

export interface Attempt {
  readonly name: string;
  readonly picture: Plane;
}

function demandsUnder(
  key: Uint8Array,
  original: StoredOriginal,
  layers: readonly ResidualLayer[],
): LayerDemand[] {
  return layers.map((layer) => ({ layer, vectors: openVectors(layer, key, original.packetId) }));
}

/** The attacks of somebody who has a packet but not the key of its signature, the one with the least in hand first. */
function* keylessAttempts(attacker: Attacker, { original, features }: Subject): Generator<Attempt> {
  const { whole } = original;
  yield { name: "sealed packet", picture: attacker.byPoints(sealedPoints(original, features), null) };
  yield { name: "words of the index", picture: attacker.bySigns(features, indexSigns(whole)) };
  yield { name: "cosine signs", picture: attacker.bySigns(features, packetSigns(whole)) };
  yield { name: "points and cosine signs", picture: attacker.byPoints(features, packetSigns(whole)) };
}

/** The attacks on the keyed blocks, alone and from what the points gave. */
function* keyedAttempts(attacker: Attacker, { original, luma }: Subject, drawn: Plane): Generator<Attempt> {
  const layers = readResidual(original.residual) ?? [];
  const right = demandsUnder(PACKET_KEY, original, layers);
  const wrong = demandsUnder(new Uint8Array(32), original, layers);
  yield { name: "blocks, wrong key", picture: attacker.byBlocks(wrong) };
  yield { name: "coarse blocks, key", picture: attacker.byBlocks(right.slice(0, 1)) };
  yield { name: "both layers, key", picture: attacker.byBlocks(right) };
  for (const [k, name] of ["coarse", "fine"].entries()) {
    const demand = right[k];
    if (demand === undefined) continue;
    const { band } = splitBands(fitPlane(luma, demand.layer.kind.side));
    yield { name: `${name} blocks, signs given`, picture: attacker.firstMap(demand, band) };
  }
  const size = layers.at(-1) ?? drawn;
  const start = resized(drawn, size.width, size.height);
  yield { name: "everything, wrong key", picture: fitBits(start, wrong, LOYALTY) };
  yield { name: "everything, key", picture: fitBits(start, right, LOYALTY) };
}

/** Every attack on one packet; `keyless`: only those without the key. */
export function* attempts(attacker: Attacker, subject: Subject, keyless: boolean): Generator<Attempt> {
  let drawn: Plane | null = null;
  for (const attempt of keylessAttempts(attacker, subject)) {
    drawn = attempt.picture;
    yield attempt;
  }
  if (!keyless && drawn !== null) yield* keyedAttempts(attacker, subject, drawn);
}
