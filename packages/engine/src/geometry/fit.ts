import { type PlanarMap, applyMap, multiplyMaps } from "./planar-map.ts";

/** Solves the n x n system in place by elimination with partial pivoting; null when it is singular. */
function solveLinear(matrix: Float64Array, right: Float64Array): Float64Array | null {
  const n = right.length;
  for (let column = 0; column < n; column += 1) {
    let pivot = column;
    for (let row = column + 1; row < n; row += 1) {
      if (Math.abs(matrix[row * n + column]!) > Math.abs(matrix[pivot * n + column]!)) pivot = row;
    }
    const head = matrix[pivot * n + column]!;
    if (!(Math.abs(head) > 1e-12)) return null;
    if (pivot !== column) {
      for (let k = 0; k < n; k += 1) {
        const kept = matrix[column * n + k]!;
        matrix[column * n + k] = matrix[pivot * n + k]!;
        matrix[pivot * n + k] = kept;
      }
      const kept = right[column]!;
      right[column] = right[pivot]!;
      right[pivot] = kept;
    }
    for (let row = column + 1; row < n; row += 1) {
      const factor = matrix[row * n + column]! / head;
      if (factor === 0) continue;
      for (let k = column; k < n; k += 1) matrix[row * n + k]! -= factor * matrix[column * n + k]!;
      right[row]! -= factor * right[column]!;
    }
  }
  for (let row = n - 1; row >= 0; row -= 1) {
    let sum = right[row]!;
    for (let k = row + 1; k < n; k += 1) sum -= matrix[row * n + k]! * right[k]!;
    right[row] = sum / matrix[row * n + row]!;
  }
  return right;
}

/** Pairs of points (px, py) -> (qx, qy). */
export interface PointPairs {
  readonly count: number;
  readonly px: Float64Array;
  readonly py: Float64Array;
  readonly qx: Float64Array;
  readonly qy: Float64Array;
}

interface Normalisation {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

function normalise(pairs: PointPairs): Normalisation {
  const { count, px, py } = pairs;
  let x = 0;
  let y = 0;
  for (let k = 0; k < count; k += 1) {
    x += px[k]! / count;
    y += py[k]! / count;
  }
  let spread = 0;
  for (let k = 0; k < count; k += 1) spread += ((px[k]! - x) ** 2 + (py[k]! - y) ** 2) / (2 * count);
  return { scale: 1 / (Math.sqrt(spread) + 1e-6), x, y };
}

const normalisingMap = ({ scale, x, y }: Normalisation): PlanarMap =>
  Float64Array.of(scale, 0, -scale * x, 0, scale, -scale * y, 0, 0, 1);

/**
 * Points that spread less than this across their main direction, as a share of the spread along it, lie on a line: what
 * happens across it they do not tell.
 */
const NARROW = 0.05;

function mean(values: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < values.length; k += 1) sum += values[k]!;
  return sum / values.length;
}

/** Whether the points p lie nearly on one line. */
export function isNarrow({ count, px, py }: PointPairs): boolean {
  const [x, y] = [mean(px), mean(py)];
  let [xx, xy, yy] = [0, 0, 0];
  for (let k = 0; k < count; k += 1) {
    xx += (px[k]! - x) ** 2;
    xy += (px[k]! - x) * (py[k]! - y);
    yy += (py[k]! - y) ** 2;
  }
  const root = Math.sqrt((xx - yy) ** 2 + 4 * xy * xy);
  return xx + yy - root < NARROW * NARROW * (xx + yy + root);
}

/** Least-squares affine map p -> q; needs three points that do not lie on one line, else null. */
export function fitAffine(pairs: PointPairs): PlanarMap | null {
  const frame = normalise(pairs);
  const gram = new Float64Array(9);
  const rightX = new Float64Array(3);
  const rightY = new Float64Array(3);
  for (let k = 0; k < pairs.count; k += 1) {
    const row = [(pairs.px[k]! - frame.x) * frame.scale, (pairs.py[k]! - frame.y) * frame.scale, 1];
    for (let r = 0; r < 3; r += 1) {
      for (let c = 0; c < 3; c += 1) gram[3 * r + c]! += row[r]! * row[c]!;
      rightX[r]! += row[r]! * pairs.qx[k]!;
      rightY[r]! += row[r]! * pairs.qy[k]!;
    }
  }
  const first = solveLinear(gram.slice(), rightX);
  const second = solveLinear(gram, rightY);
  if (first === null || second === null) return null;
  return multiplyMaps(Float64Array.of(...first, ...second, 0, 0, 1), normalisingMap(frame));
}

/** Least-squares similarity (rotation, scale, shift; no mirror) p -> q; null when all p coincide. */
export function fitSimilarity(pairs: PointPairs): PlanarMap | null {
  const { count, px, py, qx, qy } = pairs;
  const frame = normalise(pairs);
  let targetX = 0;
  let targetY = 0;
  for (let k = 0; k < count; k += 1) {
    targetX += qx[k]! / count;
    targetY += qy[k]! / count;
  }
  let along = 0;
  let across = 0;
  let spread = 0;
  for (let k = 0; k < count; k += 1) {
    const x = px[k]! - frame.x;
    const y = py[k]! - frame.y;
    along += x * (qx[k]! - targetX) + y * (qy[k]! - targetY);
    across += x * (qy[k]! - targetY) - y * (qx[k]! - targetX);
    spread += x * x + y * y;
  }
  if (spread < 1e-6) return null;
  const a = along / spread;
  const b = across / spread;
  return Float64Array.of(
    a,
    -b,
    targetX - a * frame.x + b * frame.y,
    b,
    a,
    targetY - b * frame.x - a * frame.y,
    0,
    0,
    1,
  );
}

/** Which of a homography's eight numbers make the first coordinate of the target, and which the second. */
const OF_FIRST = [0, 1, 2, 6, 7] as const;
const OF_SECOND = [3, 4, 5, 6, 7] as const;

/** Sums of a least-squares fit of a homography's eight numbers. */
interface NormalEquations {
  readonly gram: Float64Array;
  readonly right: Float64Array;
}

/**
 * Adds that a point at (x, y) has this coordinate in the target, under a weight. `numbers`: those that make it; `row`:
 * room for what they are multiplied by.
 */
function addCoordinate(
  { gram, right }: NormalEquations,
  numbers: typeof OF_FIRST | typeof OF_SECOND,
  row: Float64Array,
  x: number,
  y: number,
  target: number,
  weight: number,
): void {
  row[0] = x;
  row[1] = y;
  row[2] = 1;
  row[3] = -x * target;
  row[4] = -y * target;
  for (let r = 0; r < 5; r += 1) {
    const weighted = weight * row[r]!;
    right[numbers[r]!]! += weighted * target;
    for (let c = 0; c < 5; c += 1) gram[8 * numbers[r]! + numbers[c]!]! += weighted * row[c]!;
  }
}

/** Fits of a homography, each under the weights that the one before gives. */
const HOMOGRAPHY_ROUNDS = 8;
/** What each point adds against the perspective terms, so that few points cannot bend a homography. */
const DAMPING = 1e-4;
/** Where those two terms, the last of eight, stand on the diagonal of the normal equations. */
const PERSPECTIVE = [6 * 8 + 6, 7 * 8 + 7] as const;

/**
 * Homography p -> q by iteratively reweighted least squares (Cauchy weights of width `tolerance`, in units of q), its
 * perspective terms slightly damped; null when the points do not determine one.
 */
export function fitHomography(pairs: PointPairs, tolerance: number): PlanarMap | null {
  const { count, px, py, qx, qy } = pairs;
  const frame = normalise(pairs);
  const weight = new Float64Array(count).fill(1);
  const row = new Float64Array(5);
  let map: PlanarMap | null = null;
  for (let round = 0; round < HOMOGRAPHY_ROUNDS; round += 1) {
    const sums = { gram: new Float64Array(64), right: new Float64Array(8) };
    for (let k = 0; k < count; k += 1) {
      const x = (px[k]! - frame.x) * frame.scale;
      const y = (py[k]! - frame.y) * frame.scale;
      addCoordinate(sums, OF_FIRST, row, x, y, qx[k]!, weight[k]!);
      addCoordinate(sums, OF_SECOND, row, x, y, qy[k]!, weight[k]!);
    }
    for (const at of PERSPECTIVE) sums.gram[at]! += DAMPING * count;
    const solved = solveLinear(sums.gram, sums.right);
    if (solved === null) return null;
    map = multiplyMaps(Float64Array.of(...solved, 1), normalisingMap(frame));
    for (let k = 0; k < count; k += 1) {
      const { x, y } = applyMap(map, px[k]!, py[k]!);
      const [ex, ey] = [x - qx[k]!, y - qy[k]!];
      weight[k] = 1 / (1 + (ex * ex + ey * ey) / (tolerance * tolerance));
    }
  }
  return map;
}
