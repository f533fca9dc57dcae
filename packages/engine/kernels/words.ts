const LENGTH: i32 = 128;
const PARTS: i32 = 3;
const PART_LENGTH: i32 = 16;
const CENTRES: i32 = 1024;
const PROJECTED: i32 = PARTS * PART_LENGTH;
const NEAREST_CENTRES: i32 = 4;
const NEAREST_WORDS: i32 = 8;
/** Bytes of the rounded centres of a part and their squared lengths. */
const QUANTISED_PART: usize = CENTRES * (4 + 2 * PART_LENGTH);

let tables: usize = 0;
let quantised: usize = 0;
let permutations: usize = 0;
let steps: f32 = 0;

/**
 * Tells where the vocabulary lies. `at`: float32 tables in this order: inversion fold and mirror fold (128 each),
 * projection (128 x 48), its offset (48), centres (3 x 1,024 x 16). `whole`: the centres again, `stepsPerUnit` times as
 * large and rounded: for each part the squared lengths (1,024 int32), then, for every four centres, eight times two of
 * their components (int16). `moves`: the inversion and mirror permutations, 128 bytes each.
 */
export function setVocabulary(at: usize, whole: usize, stepsPerUnit: f32, moves: usize): void {
  tables = at;
  quantised = whole;
  steps = stepsPerUnit;
  permutations = moves;
}

/** Exchanges a descriptor for its permutation where the functional is negative. */
function fold(descriptor: usize, functional: usize, moves: usize, scratch: usize): void {
  let side: f32 = 0;
  for (let i: usize = 0; i < 4 * LENGTH; i += 4) {
    side += load<f32>(functional + i) * load<f32>(descriptor + i);
  }
  if (side >= 0) return;
  memory.copy(scratch, descriptor, 4 * LENGTH);
  for (let i: usize = 0; i < <usize>LENGTH; i += 1) {
    store<f32>(descriptor + (i << 2), load<f32>(scratch + ((<usize>load<u8>(moves + i)) << 2)));
  }
}

/** `projected = projection x descriptor - offset`, each sum in order of the descriptor. */
function project(descriptor: usize, projected: usize): void {
  const matrix = tables + 8 * LENGTH;
  const offset = matrix + 4 * LENGTH * PROJECTED;
  for (let row: usize = 0; row < 4 * PROJECTED; row += 64) {
    let a = f32x4.splat(0);
    let b = f32x4.splat(0);
    let c = f32x4.splat(0);
    let d = f32x4.splat(0);
    for (let k: usize = 0; k < <usize>LENGTH; k += 1) {
      const value = f32x4.splat(load<f32>(descriptor + (k << 2)));
      const at = matrix + k * (4 * PROJECTED) + row;
      a = f32x4.add(a, f32x4.mul(v128.load(at), value));
      b = f32x4.add(b, f32x4.mul(v128.load(at, 16), value));
      c = f32x4.add(c, f32x4.mul(v128.load(at, 32), value));
      d = f32x4.add(d, f32x4.mul(v128.load(at, 48), value));
    }
    v128.store(projected + row, f32x4.sub(a, v128.load(offset + row)));
    v128.store(projected + row, f32x4.sub(b, v128.load(offset + row, 16)), 16);
    v128.store(projected + row, f32x4.sub(c, v128.load(offset + row, 32)), 32);
    v128.store(projected + row, f32x4.sub(d, v128.load(offset + row, 48)), 48);
  }
}

/** Puts a centre into the sorted list of nearest ones, behind those equally near. */
function insert(distances: usize, names: usize, length: i32, distance: f32, name: i32): void {
  let place = length - 1;
  while (place > 0 && distance < load<f32>(distances + ((<usize>(place - 1)) << 2))) {
    store<f32>(distances + ((<usize>place) << 2), load<f32>(distances + ((<usize>(place - 1)) << 2)));
    store<i32>(names + ((<usize>place) << 2), load<i32>(names + ((<usize>(place - 1)) << 2)));
    place -= 1;
  }
  store<f32>(distances + ((<usize>place) << 2), distance);
  store<i32>(names + ((<usize>place) << 2), name);
}

function clear(distances: usize, length: i32): void {
  for (let i = 0; i < length; i += 1) store<f32>(distances + ((<usize>i) << 2), Infinity);
}

/** The rounded components of one part, 16 int16. */
const rounded: usize = memory.data(2 * PART_LENGTH, 16);
/** The squared distance of each centre of a part, in steps, less the squared length of what is looked up. */
const approximate: usize = memory.data(4 * CENTRES, 16);

/** Rounds one part to steps; returns the squared length of that. */
function quantise(values: usize): i32 {
  let squares = 0;
  for (let k: usize = 0; k < <usize>PART_LENGTH; k += 1) {
    const whole = <i32>nearest(load<f32>(values + (k << 2)) * steps);
    store<i16>(rounded + (k << 1), <i16>whole);
    squares += whole * whole;
  }
  return squares;
}

function roundedPair(k: usize): v128 {
  return v128.load32_splat(rounded + (k << 2));
}

/** Fills `approximate`; returns a bound of the four least of it: the greatest of the least in each of four quarters. */
function approximateDistances(part: usize): i32 {
  const p0 = roundedPair(0);
  const p1 = roundedPair(1);
  const p2 = roundedPair(2);
  const p3 = roundedPair(3);
  const p4 = roundedPair(4);
  const p5 = roundedPair(5);
  const p6 = roundedPair(6);
  const p7 = roundedPair(7);
  let at = part + 4 * CENTRES;
  let least = i32x4.splat(i32.MAX_VALUE);
  for (let centre: usize = 0; centre < 4 * CENTRES; centre += 16) {
    const a = i32x4.add(i32x4.dot_i16x8_s(p0, v128.load(at)), i32x4.dot_i16x8_s(p1, v128.load(at, 16)));
    const b = i32x4.add(i32x4.dot_i16x8_s(p2, v128.load(at, 32)), i32x4.dot_i16x8_s(p3, v128.load(at, 48)));
    const c = i32x4.add(i32x4.dot_i16x8_s(p4, v128.load(at, 64)), i32x4.dot_i16x8_s(p5, v128.load(at, 80)));
    const d = i32x4.add(i32x4.dot_i16x8_s(p6, v128.load(at, 96)), i32x4.dot_i16x8_s(p7, v128.load(at, 112)));
    const product = i32x4.add(i32x4.add(a, b), i32x4.add(c, d));
    const distance = i32x4.sub(v128.load(part + centre), i32x4.shl(product, 1));
    v128.store(approximate + centre, distance);
    least = i32x4.min_s(least, distance);
    at += 128;
  }
  return max(
    max(i32x4.extract_lane(least, 0), i32x4.extract_lane(least, 1)),
    max(i32x4.extract_lane(least, 2), i32x4.extract_lane(least, 3)),
  );
}

/**
 * How far rounding may have moved a centre past another, in steps: each component of a difference by at most one, of 16
 * components four together, of two centres eight; and one for what float32 loses.
 */
const SLACK: f64 = 9;

/** The greatest of `approximate` that one of the four nearest centres may have. */
function farthest(bound: i32, squares: i32): i32 {
  const distance = sqrt(<f64>(bound + squares)) + SLACK;
  return <i32>ceil(distance * distance) - squares;
}

/** The squared distance to one centre. */
function distanceTo(values: usize, centre: usize): f32 {
  let sum: f32 = 0;
  for (let k: usize = 0; k < 4 * PART_LENGTH; k += 4) {
    const difference = load<f32>(values + k) - load<f32>(centre + k);
    sum += difference * difference;
  }
  return sum;
}

/**
 * The nearest centres of one part, by squared distance; of equal ones the lower number. Whole numbers tell which may be
 * among them, and only of those the distance counts.
 */
function findCentres(values: usize, centres: usize, part: usize, distances: usize, names: usize): void {
  clear(distances, NEAREST_CENTRES);
  const squares = quantise(values);
  const limit = i32x4.splat(farthest(approximateDistances(part), squares));
  for (let first = 0; first < CENTRES; first += 16) {
    const at = approximate + ((<usize>first) << 2);
    const a = i32x4.le_s(v128.load(at), limit);
    const b = i32x4.le_s(v128.load(at, 16), limit);
    const c = i32x4.le_s(v128.load(at, 32), limit);
    const d = i32x4.le_s(v128.load(at, 48), limit);
    let lanes = i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d)));
    for (; lanes != 0; lanes &= lanes - 1) {
      const centre = first + ctz(lanes);
      const distance = distanceTo(values, centres + <usize>centre * (4 * PART_LENGTH));
      if (distance < load<f32>(distances, 4 * (NEAREST_CENTRES - 1))) {
        insert(distances, names, NEAREST_CENTRES, distance, centre);
      }
    }
  }
}

const bestDistances: usize = memory.data(4 * NEAREST_WORDS, 16);
const nearestDistances: usize = memory.data(4 * PARTS * NEAREST_CENTRES, 16);
const nearestNames: usize = memory.data(4 * PARTS * NEAREST_CENTRES, 16);
const projected: usize = memory.data(4 * PROJECTED, 16);

function distanceOf(i: i32): f32 {
  return load<f32>(nearestDistances + ((<usize>i) << 2));
}

function nameOf(i: i32): i32 {
  return load<i32>(nearestNames + ((<usize>i) << 2));
}

/** Words of the nearest triples of centres, by the sum of their squared distances. */
function combine(words: usize): void {
  clear(bestDistances, NEAREST_WORDS);
  for (let a = 0; a < NEAREST_CENTRES; a += 1) {
    for (let b = NEAREST_CENTRES; b < 2 * NEAREST_CENTRES; b += 1) {
      const pair = distanceOf(a) + distanceOf(b);
      for (let c = 2 * NEAREST_CENTRES; c < 3 * NEAREST_CENTRES; c += 1) {
        const distance = pair + distanceOf(c);
        if (!(distance < load<f32>(bestDistances, 4 * (NEAREST_WORDS - 1)))) break;
        const name = (nameOf(a) * CENTRES + nameOf(b)) * CENTRES + nameOf(c);
        insert(bestDistances, words, NEAREST_WORDS, distance, name);
      }
    }
  }
}

/**
 * Writes the eight nearest words (int32) of each of `count` descriptors, which are folded in place.
 * `scratch`: 512 bytes.
 */
export function nearestWords(descriptors: usize, count: i32, words: usize, scratch: usize): void {
  const centres = tables + 8 * LENGTH + 4 * LENGTH * PROJECTED + 4 * PROJECTED;
  for (let i = 0; i < count; i += 1) {
    const descriptor = descriptors + <usize>i * (4 * LENGTH);
    fold(descriptor, tables, permutations, scratch);
    fold(descriptor, tables + 4 * LENGTH, permutations + LENGTH, scratch);
    project(descriptor, projected);
    for (let part: usize = 0; part < <usize>PARTS; part += 1) {
      findCentres(
        projected + part * (4 * PART_LENGTH),
        centres + part * (4 * PART_LENGTH * CENTRES),
        quantised + part * QUANTISED_PART,
        nearestDistances + part * (4 * NEAREST_CENTRES),
        nearestNames + part * (4 * NEAREST_CENTRES),
      );
    }
    combine(words + <usize>i * (4 * NEAREST_WORDS));
  }
}
