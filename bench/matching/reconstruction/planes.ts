import { type Plane, shrink } from "@colophon/engine/lab";
/** The same picture at another size: area means where neither side grows, else linear interpolation. */
export function resized(plane: Plane, width: number, height: number): Plane {
  if (width === plane.width && height === plane.height) return plane;
  if (width <= plane.width && height <= plane.height) return shrink(plane, width, height);
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const [above, below, down] = between(y, height, plane.height);
    for (let x = 0; x < width; x += 1) {
      const [left, right, across] = between(x, width, plane.width);
      const at = (row: number, column: number): number => plane.data[row * plane.width + column]!;
      const upper = at(above, left) * (1 - across) + at(above, right) * across;
      data[y * width + x] =
        upper * (1 - down) + (at(below, left) * (1 - across) + at(below, right) * across) * down;
    }
  }
  return { width, height, data };
}

/** The two samples on either side of target sample `n`, and how far it lies towards the second. */
function between(n: number, to: number, from: number): readonly [number, number, number] {
  const at = Math.min(from - 1, Math.max(0, ((n + 0.5) * from) / to - 0.5));
  const first = Math.floor(at);
  return [first, Math.min(from - 1, first + 1), at - first];
}

const mean = ({ data }: Plane): number => data.reduce((sum, value) => sum + value, 0) / data.length;

/** Pearson's correlation of two pictures of one size. */
export function correlation(a: Plane, b: Plane): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  let [both, one, other] = [0, 1e-12, 1e-12];
  for (let k = 0; k < a.data.length; k += 1) {
    const [x, y] = [a.data[k]! - meanA, b.data[k]! - meanB];
    both += x * y;
    one += x * x;
    other += y * y;
  }
  return both / Math.sqrt(one * other);
}
