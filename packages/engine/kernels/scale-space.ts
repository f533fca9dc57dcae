function reflect(index: i32, length: i32): i32 {
  if (length == 1) return 0;
  const period = 2 * length - 2;
  const wrapped = (index < 0 ? -index : index) % period;
  return wrapped < length ? wrapped : period - wrapped;
}

/** One row of the vertical pass into `line`; `rows` holds radius + 1 pairs of row pointers (above, below). */
function blurColumns(rows: usize, line: usize, width: i32, taps: usize, radius: i32): void {
  for (let x: usize = 0; x < <usize>width * 4; x += 64) {
    const centre = f32x4.splat(load<f32>(taps));
    const own = load<usize>(rows) + x;
    let a = f32x4.mul(centre, v128.load(own));
    let b = f32x4.mul(centre, v128.load(own, 16));
    let c = f32x4.mul(centre, v128.load(own, 32));
    let d = f32x4.mul(centre, v128.load(own, 48));
    for (let tap = 1; tap <= radius; tap += 1) {
      const weight = f32x4.splat(load<f32>(taps + ((<usize>tap) << 2)));
      const above = load<usize>(rows + ((<usize>tap) << 3)) + x;
      const below = load<usize>(rows + ((<usize>tap) << 3), 4) + x;
      a = f32x4.add(a, f32x4.mul(weight, f32x4.add(v128.load(above), v128.load(below))));
      b = f32x4.add(b, f32x4.mul(weight, f32x4.add(v128.load(above, 16), v128.load(below, 16))));
      c = f32x4.add(c, f32x4.mul(weight, f32x4.add(v128.load(above, 32), v128.load(below, 32))));
      d = f32x4.add(d, f32x4.mul(weight, f32x4.add(v128.load(above, 48), v128.load(below, 48))));
    }
    v128.store(line + x, a);
    v128.store(line + x, b, 16);
    v128.store(line + x, c, 32);
    v128.store(line + x, d, 48);
  }
}

/** One row of the horizontal pass; `line` is the row's first sample, with `radius` mirrored samples on both sides. */
function blurRow(line: usize, target: usize, width: i32, taps: usize, radius: i32): void {
  for (let x: usize = 0; x < <usize>width * 4; x += 64) {
    const centre = f32x4.splat(load<f32>(taps));
    const own = line + x;
    let a = f32x4.mul(centre, v128.load(own));
    let b = f32x4.mul(centre, v128.load(own, 16));
    let c = f32x4.mul(centre, v128.load(own, 32));
    let d = f32x4.mul(centre, v128.load(own, 48));
    for (let tap: usize = 4; tap <= <usize>radius * 4; tap += 4) {
      const weight = f32x4.splat(load<f32>(taps + tap));
      const left = own - tap;
      const right = own + tap;
      a = f32x4.add(a, f32x4.mul(weight, f32x4.add(v128.load(left), v128.load(right))));
      b = f32x4.add(b, f32x4.mul(weight, f32x4.add(v128.load(left, 16), v128.load(right, 16))));
      c = f32x4.add(c, f32x4.mul(weight, f32x4.add(v128.load(left, 32), v128.load(right, 32))));
      d = f32x4.add(d, f32x4.mul(weight, f32x4.add(v128.load(left, 48), v128.load(right, 48))));
    }
    v128.store(target + x, a);
    v128.store(target + x, b, 16);
    v128.store(target + x, c, 32);
    v128.store(target + x, d, 48);
  }
}

/**
 * Separable Gaussian blur, the same float32 steps as the reference. Rows are written in order and up to 60 bytes past
 * their end, so source and target need 64 spare bytes and may not overlap.
 *
 * @param taps half of the kernel, centre first, `radius + 1` float32
 * @param scratch `8 * (radius + 1) + 4 * (width + 2 * radius) + 128` bytes
 */
export function blur(
  source: usize,
  target: usize,
  width: i32,
  height: i32,
  taps: usize,
  radius: i32,
  scratch: usize,
): void {
  const stride = (<usize>width) << 2;
  const line = scratch + ((<usize>(radius + 1)) << 3) + ((<usize>radius) << 2);
  for (let y = 0; y < height; y += 1) {
    for (let tap = 0; tap <= radius; tap += 1) {
      store<usize>(scratch + ((<usize>tap) << 3), source + <usize>reflect(y - tap, height) * stride);
      store<usize>(scratch + ((<usize>tap) << 3), source + <usize>reflect(y + tap, height) * stride, 4);
    }
    blurColumns(scratch, line, width, taps, radius);
    for (let i = 1; i <= radius; i += 1) {
      store<f32>(line - ((<usize>i) << 2), load<f32>(line + ((<usize>reflect(-i, width)) << 2)));
      store<f32>(
        line + ((<usize>(width - 1 + i)) << 2),
        load<f32>(line + ((<usize>reflect(width - 1 + i, width)) << 2)),
      );
    }
    blurRow(line, target + <usize>y * stride, width, taps, radius);
  }
}

/** Every second sample of every second row. */
export function halve(source: usize, target: usize, width: i32, height: i32): void {
  const half = width >> 1;
  for (let y = 0; y < height >> 1; y += 1) {
    const from = source + ((<usize>(2 * y) * width) << 2);
    const to = target + ((<usize>y * half) << 2);
    for (let x = 0; x < half; x += 1) store<f32>(to + ((<usize>x) << 2), load<f32>(from + ((<usize>x) << 3)));
  }
}

/** Four times the value between the two byte rows. */
function between(near: usize, far: usize, x: usize): i32 {
  return 3 * <i32>load<u8>(near + x) + <i32>load<u8>(far + x);
}

/** Writes one row of the doubled raster from the two byte rows next to it, 3/4 `near` and 1/4 `far`. */
function doubleRow(near: usize, far: usize, target: usize, width: i32): void {
  let here = between(near, far, 0);
  let before = here;
  for (let x = 0; x < width; x += 1) {
    const after = between(near, far, <usize>min(x + 1, width - 1));
    const left: i32 = 3 * here + before;
    const right: i32 = 3 * here + after;
    store<f32>(target, <f32>left / 16);
    store<f32>(target, <f32>right / 16, 4);
    target += 8;
    before = here;
    here = after;
  }
}

/** Linear enlargement of a byte raster to twice its size: sample `j` lies at `j / 2 - 1/4` of the source. */
export function double(source: usize, target: usize, width: i32, height: i32): void {
  for (let y = 0; y < 2 * height; y += 1) {
    const near = y >> 1;
    const far = min(height - 1, max(0, near + ((y & 1) == 0 ? -1 : 1)));
    doubleRow(source + <usize>(near * width), source + <usize>(far * width), target, width);
    target += (<usize>width) << 3;
  }
}
