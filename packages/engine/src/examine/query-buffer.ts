import { BITS_STRIDE } from "../features/binarise.ts";
import { PROBES_PER_POINT, type Query } from "../packet/query.ts";
import { COSINE_TERMS } from "../signature/whole-signature.ts";

/*
 * What an examination leaves for matching, in one buffer, so that it moves between threads without a copy and one fill
 * erases it. Seven float64 of sizes, float64 cosine terms, then float32 x, y, size, angle, response, uint32 bits, int32
 * probes, luma bytes.
 */
const SIZES = 7;
/** Bytes before what points have. */
const HEAD_BYTES: number = 8 * (SIZES + COSINE_TERMS);
const FLOATS_PER_POINT = 5;
const WORDS_PER_POINT = FLOATS_PER_POINT + BITS_STRIDE + PROBES_PER_POINT;

/** Lays a query into a fresh buffer. */
export function writeQueryState(query: Query): ArrayBuffer {
  const { features, luma, terms } = query;
  const { width, height, count } = features;
  const state = new ArrayBuffer(HEAD_BYTES + 4 * WORDS_PER_POINT * count + luma.data.length);
  const sizes = [width, height, count, luma.width, luma.height, query.quantisation, luma.data.length];
  new Float64Array(state, 0, SIZES).set(sizes);
  const view = readQueryState(state);
  for (const column of ["x", "y", "size", "angle", "response", "bits"] as const) {
    view.features[column].set(features[column]);
  }
  view.probes.set(query.probes);
  view.terms.set(terms);
  view.luma.data.set(luma.data);
  return state;
}

/** Views on a buffer that `writeQueryState` made. */
export function readQueryState(state: ArrayBuffer): Query {
  const [width, height, count, lumaWidth, lumaHeight, quantisation, lumaLength] = new Float64Array(
    state,
    0,
    SIZES,
  );
  const points = count!;
  let at = HEAD_BYTES;
  const take = (stride: number): number => {
    const start = at;
    at += 4 * stride * points;
    return start;
  };
  const column = (): Float32Array => new Float32Array(state, take(1), points);
  const [x, y, size, angle, response] = [column(), column(), column(), column(), column()];
  const bits = new Uint32Array(state, take(BITS_STRIDE), points * BITS_STRIDE);
  const probes = new Int32Array(state, take(PROBES_PER_POINT), points * PROBES_PER_POINT);
  return {
    features: { width: width!, height: height!, count: points, x, y, size, angle, response, bits },
    probes,
    terms: new Float64Array(state, 8 * SIZES, COSINE_TERMS),
    luma: { width: lumaWidth!, height: lumaHeight!, data: new Uint8Array(state, at, lumaLength) },
    quantisation: quantisation!,
  };
}
