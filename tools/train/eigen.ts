/** A matrix is diagonal when what lies beside the diagonal has this share of its squares. */
const DIAGONAL = 1e-18;
const MAX_SWEEPS = 30;
/** An entry is left alone when its square is this small against its two diagonal entries. */
const NEGLIGIBLE = 1e-22;

/** Eigenvalues, largest first, and the matching eigenvectors as rows, of a symmetric matrix. */
export interface Eigen {
  readonly values: Float64Array;
  readonly vectors: readonly Float64Array[];
}

/**
 * Diagonalises a symmetric matrix (n x n, row-major) by Jacobi rotations in a fixed order. Each vector's sign is such
 * that its largest entry is positive.
 */
export function symmetricEigen(matrix: Float64Array, n: number): Eigen {
  const a = matrix.slice();
  const rows = Array.from({ length: n }, (_, i) =>
    Float64Array.from({ length: n }, (_v, j) => (i === j ? 1 : 0)),
  );
  for (let sweep = 0; sweep < MAX_SWEEPS && !isDiagonal(a, n); sweep += 1) {
    for (let p = 0; p < n; p += 1) for (let q = p + 1; q < n; q += 1) rotate(a, rows, n, p, q);
  }
  const order = Array.from({ length: n }, (_, i) => i).toSorted(
    (i, j) => a[j * n + j]! - a[i * n + i]! || i - j,
  );
  return {
    values: Float64Array.from(order, (i) => a[i * n + i]!),
    vectors: order.map((i) => upright(rows[i]!)),
  };
}

function isDiagonal(a: Float64Array, n: number): boolean {
  let [beside, all] = [0, 0];
  for (let k = 0; k < a.length; k += 1) {
    all += a[k]! ** 2;
    if (k % (n + 1) !== 0) beside += a[k]! ** 2;
  }
  return beside <= DIAGONAL * all;
}

/** Brings entry (p, q) to 0. */
function rotate(a: Float64Array, rows: Float64Array[], n: number, p: number, q: number): void {
  const off = a[p * n + q]!;
  if (off * off <= NEGLIGIBLE * Math.abs(a[p * n + p]! * a[q * n + q]!)) return;
  const half = (a[q * n + q]! - a[p * n + p]!) / (2 * off);
  const tangent = Math.sign(half || 1) / (Math.abs(half) + Math.sqrt(half * half + 1));
  const cos = 1 / Math.sqrt(tangent * tangent + 1);
  const sin = tangent * cos;
  for (let k = 0; k < n; k += 1) {
    const [kp, kq] = [a[k * n + p]!, a[k * n + q]!];
    a[k * n + p] = cos * kp - sin * kq;
    a[k * n + q] = sin * kp + cos * kq;
  }
  for (let k = 0; k < n; k += 1) {
    const [pk, qk] = [a[p * n + k]!, a[q * n + k]!];
    a[p * n + k] = cos * pk - sin * qk;
    a[q * n + k] = sin * pk + cos * qk;
  }
  const [one, other] = [rows[p]!, rows[q]!];
  for (let k = 0; k < n; k += 1) {
    const [x, y] = [one[k]!, other[k]!];
    one[k] = cos * x - sin * y;
    other[k] = sin * x + cos * y;
  }
}

function upright(vector: Float64Array): Float64Array {
  const largest = vector.reduce(
    (best, value) => (Math.abs(value) > Math.abs(best) + 1e-12 ? value : best),
    0,
  );
  return largest < 0 ? vector.map((value) => -value) : vector;
}

/** The symmetric inverse square root of a positive definite matrix. */
export function inverseRoot(matrix: Float64Array, n: number): Float64Array {
  const { values, vectors } = symmetricEigen(matrix, n);
  const root = new Float64Array(n * n);
  for (const [k, vector] of vectors.entries()) {
    const weight = 1 / Math.sqrt(values[k]!);
    for (let i = 0; i < n; i += 1) {
      for (let j = 0; j < n; j += 1) root[i * n + j]! += weight * vector[i]! * vector[j]!;
    }
  }
  return root;
}

/** The product of two n x n matrices. */
export function product(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const result = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    for (let k = 0; k < n; k += 1) {
      const factor = a[i * n + k]!;
      for (let j = 0; j < n; j += 1) result[i * n + j]! += factor * b[k * n + j]!;
    }
  }
  return result;
}
