const LENGTH: i32 = 128;
const PARTS: i32 = 3;
const PART_LENGTH: i32 = 16;
const CENTRES: i32 = 1024;
const PROJECTED: i32 = PARTS * PART_LENGTH;
const NEAREST_CENTRES: i32 = 4;
const NEAREST_WORDS: i32 = 8;

let tables: usize = 0;
let permutations: usize = 0;

/**
 * Tells where the vocabulary lies. `at`: float32 tables in this order: inversion fold and mirror fold (128 each),
 * projection (128 x 48), its offset (48), centres (3 x 16 x 1,024). `moves`: the inversion and mirror permutations,
 * 128 bytes each.
 */
export function setVocabulary(at: usize, moves: usize): void {
  tables = at;
  permutations = moves;
}

/** Exchanges a descriptor for its permutation where the functional is negative. */
function fold(descriptor: usize, functional: usize, moves: usize, scratch: usize): void {
  let side: f32 = 0;
  for (let i: usize = 0; i < 4 * LENGTH; i += 4)
    side += load<f32>(functional + i) * load<f32>(descriptor + i);
  if (side >= 0) return;
  memory.copy(scratch, descriptor, 4 * LENGTH);
  for (let i: usize = 0; i < <usize>LENGTH; i++) {
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
    for (let k: usize = 0; k < <usize>LENGTH; k++) {
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
    place--;
  }
  store<f32>(distances + ((<usize>place) << 2), distance);
  store<i32>(names + ((<usize>place) << 2), name);
}

function clear(distances: usize, length: i32): void {
  for (let i = 0; i < length; i++) store<f32>(distances + ((<usize>i) << 2), Infinity);
}

/** The nearest centres of one part, by squared distance; of equal ones the lower number. */
function findCentres(values: usize, centres: usize, distances: usize, names: usize): void {
  clear(distances, NEAREST_CENTRES);
  let worst = f32x4.splat(Infinity);
  for (let centre = 0; centre < CENTRES; centre += 8) {
    let near = f32x4.splat(0);
    let far = f32x4.splat(0);
    let at = centres + ((<usize>centre) << 2);
    for (let k: usize = 0; k < <usize>PART_LENGTH; k++) {
      const value = f32x4.splat(load<f32>(values + (k << 2)));
      const left = f32x4.sub(value, v128.load(at));
      const right = f32x4.sub(value, v128.load(at, 16));
      near = f32x4.add(near, f32x4.mul(left, left));
      far = f32x4.add(far, f32x4.mul(right, right));
      at += 4 * CENTRES;
    }
    let lanes = i32x4.bitmask(f32x4.lt(near, worst)) | (i32x4.bitmask(f32x4.lt(far, worst)) << 4);
    if (lanes == 0) continue;
    v128.store(block, near);
    v128.store(block, far, 16);
    while (lanes != 0) {
      const lane = ctz(lanes);
      lanes &= lanes - 1;
      const distance = load<f32>(block + ((<usize>lane) << 2));
      if (distance < load<f32>(distances, 4 * (NEAREST_CENTRES - 1))) {
        insert(distances, names, NEAREST_CENTRES, distance, centre + lane);
      }
    }
    worst = f32x4.splat(load<f32>(distances, 4 * (NEAREST_CENTRES - 1)));
  }
}

const block: usize = memory.data(32, 16);
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
  for (let a = 0; a < NEAREST_CENTRES; a++) {
    for (let b = NEAREST_CENTRES; b < 2 * NEAREST_CENTRES; b++) {
      const pair = distanceOf(a) + distanceOf(b);
      for (let c = 2 * NEAREST_CENTRES; c < 3 * NEAREST_CENTRES; c++) {
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
  for (let i = 0; i < count; i++) {
    const descriptor = descriptors + <usize>i * (4 * LENGTH);
    fold(descriptor, tables, permutations, scratch);
    fold(descriptor, tables + 4 * LENGTH, permutations + LENGTH, scratch);
    project(descriptor, projected);
    for (let part: usize = 0; part < <usize>PARTS; part++) {
      findCentres(
        projected + part * (4 * PART_LENGTH),
        centres + part * (4 * PART_LENGTH * CENTRES),
        nearestDistances + part * (4 * NEAREST_CENTRES),
        nearestNames + part * (4 * NEAREST_CENTRES),
      );
    }
    combine(words + <usize>i * (4 * NEAREST_WORDS));
  }
}
