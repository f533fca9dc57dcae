/**
 * Minimises x'Ax - 2b'x by conjugate gradients from `x`, which it changes. `apply` writes A times its first argument
 * into the second; A is symmetric and positive semidefinite.
 */
export function conjugateGradients(
  apply: (x: Float64Array, into: Float64Array) => void,
  b: Float64Array,
  x: Float64Array,
  rounds: number,
): void {
  const image = new Float64Array(x.length);
  apply(x, image);
  const rest = b.map((value, k) => value - image[k]!);
  const way = rest.slice();
  let size = dot(rest, rest);
  const enough = 1e-8 * size;
  for (let round = 0; round < rounds && size > enough; round += 1) {
    apply(way, image);
    const step = size / dot(way, image);
    for (let k = 0; k < x.length; k += 1) {
      x[k]! += step * way[k]!;
      rest[k]! -= step * image[k]!;
    }
    const next = dot(rest, rest);
    for (let k = 0; k < x.length; k += 1) way[k] = rest[k]! + (next / size) * way[k]!;
    size = next;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k += 1) sum += a[k]! * b[k]!;
  return sum;
}
