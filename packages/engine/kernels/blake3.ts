// BLAKE3, hash mode, 32 bytes (the BLAKE3 specification, 2020, section 2).

const CHUNK_START: u32 = 1;
const CHUNK_END: u32 = 2;
const PARENT: u32 = 4;
const ROOT: u32 = 8;
const CHUNK: usize = 1024;
const BLOCK: usize = 64;
const VALUE: usize = 32;

const start: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

/** Order of the message words in each of the seven rounds. */
const schedule: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8,
  3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1, 10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6,
  12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4, 9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7,
  11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13,
]);

/** Chaining values of finished subtrees, largest first, with room for 2^54 chunks. */
const stack: usize = memory.data(54 * 32, 16);
const value: usize = memory.data(32, 16);
const parents: usize = memory.data(64, 16);

let depth: usize = 0;
let chunks: u64 = 0;

/** The message words whose places stand at `order`, `order + 2`, `order + 4` and `order + 6`. */
function words(block: usize, order: usize): v128 {
  let four = v128.load32_zero(block + ((<usize>load<u8>(order)) << 2));
  four = v128.load32_lane(block + ((<usize>load<u8>(order, 2)) << 2), four, 1);
  four = v128.load32_lane(block + ((<usize>load<u8>(order, 4)) << 2), four, 2);
  return v128.load32_lane(block + ((<usize>load<u8>(order, 6)) << 2), four, 3);
}

function rotateRight(x: v128, by: i32): v128 {
  return v128.or(i32x4.shr_u(x, by), i32x4.shl(x, 32 - by));
}

/** Compresses one block onto a chaining value; `target` may be `chaining`. */
function compress(chaining: usize, block: usize, length: u32, counter: u64, flags: u32, target: usize): void {
  let a = v128.load(chaining);
  let b = v128.load(chaining, 16);
  let c = v128.load(start);
  let d = i32x4.replace_lane(i64x2.splat(counter), 2, length);
  d = i32x4.replace_lane(d, 3, flags);
  for (let order = schedule; order < schedule + 7 * 16; order += 16) {
    a = i32x4.add(i32x4.add(a, b), words(block, order));
    d = i8x16.shuffle(v128.xor(d, a), a, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    c = i32x4.add(c, d);
    b = rotateRight(v128.xor(b, c), 12);
    a = i32x4.add(i32x4.add(a, b), words(block, order + 1));
    d = i8x16.shuffle(v128.xor(d, a), a, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12);
    c = i32x4.add(c, d);
    b = rotateRight(v128.xor(b, c), 7);
    b = i32x4.shuffle(b, b, 1, 2, 3, 0);
    c = i32x4.shuffle(c, c, 2, 3, 0, 1);
    d = i32x4.shuffle(d, d, 3, 0, 1, 2);
    a = i32x4.add(i32x4.add(a, b), words(block, order + 8));
    d = i8x16.shuffle(v128.xor(d, a), a, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    c = i32x4.add(c, d);
    b = rotateRight(v128.xor(b, c), 12);
    a = i32x4.add(i32x4.add(a, b), words(block, order + 9));
    d = i8x16.shuffle(v128.xor(d, a), a, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12);
    c = i32x4.add(c, d);
    b = rotateRight(v128.xor(b, c), 7);
    b = i32x4.shuffle(b, b, 3, 0, 1, 2);
    c = i32x4.shuffle(c, c, 2, 3, 0, 1);
    d = i32x4.shuffle(d, d, 1, 2, 3, 0);
  }
  v128.store(target, v128.xor(a, c));
  v128.store(target, v128.xor(b, d), 16);
}

/**
 * Chaining value of one chunk of at most 1,024 bytes, readable up to a whole block; `last` is added to its last flags.
 */
function compressChunk(input: usize, length: usize, last: u32): void {
  memory.copy(value, start, VALUE);
  let flags = CHUNK_START;
  while (length > BLOCK) {
    compress(value, input, <u32>BLOCK, chunks, flags, value);
    flags = 0;
    input += BLOCK;
    length -= BLOCK;
  }
  memory.fill(input + length, 0, BLOCK - length);
  compress(value, input, <u32>length, chunks, flags | CHUNK_END | last, value);
}

/** Joins the topmost subtree of the stack with `value`. */
function join(flags: u32): void {
  depth -= 1;
  memory.copy(parents, stack + depth * VALUE, VALUE);
  memory.copy(parents + VALUE, value, VALUE);
  compress(start, parents, <u32>BLOCK, 0, PARENT | flags, value);
}

export function blake3Start(): void {
  depth = 0;
  chunks = 0;
}

/** Takes in whole chunks that are not the last ones. */
export function blake3Chunks(input: usize, count: i32): void {
  for (const end = input + <usize>count * CHUNK; input < end; input += CHUNK) {
    compressChunk(input, CHUNK, 0);
    chunks += 1;
    for (let subtrees = chunks; (subtrees & 1) == 0; subtrees >>= 1) join(0);
    memory.copy(stack + depth * VALUE, value, VALUE);
    depth += 1;
  }
}

/** Takes in the last chunk (0 to 1,024 bytes, then up to 63 bytes that are overwritten) and writes the hash. */
export function blake3End(input: usize, length: i32, target: usize): void {
  compressChunk(input, length, depth == 0 ? ROOT : 0);
  while (depth > 0) join(depth == 1 ? ROOT : 0);
  memory.copy(target, value, VALUE);
}
