import sharp from "sharp";

const LONGER_SIDE = 384;
const BLOCK = 8;
/** Least variance of a block that shows anything. */
const DETAIL = 9;
/** Least correlation of blocks that show the same. */
const SAME = 0.85;
/** A block of which so much less variance is left shows something else. */
const LEFT = 0.25;

async function luma(picture: Buffer, width: number, height: number): Promise<Uint8Array> {
  return sharp(picture).grayscale().resize(width, height, { fit: "fill" }).raw().toBuffer();
}

/** Two pictures' luma at one place, block by block. */
function compare(
  one: Uint8Array,
  other: Uint8Array,
  width: number,
  at: number,
): { variance: number; otherVariance: number; covariance: number } {
  let [sum, otherSum, squares, otherSquares, products] = [0, 0, 0, 0, 0];
  for (let row = 0; row < BLOCK; row += 1) {
    for (let column = 0; column < BLOCK; column += 1) {
      const place = at + row * width + column;
      const [u, v] = [one[place]!, other[place]!];
      sum += u;
      otherSum += v;
      squares += u * u;
      otherSquares += v * v;
      products += u * v;
    }
  }
  const count = BLOCK * BLOCK;
  return {
    variance: squares / count - (sum / count) ** 2,
    otherVariance: otherSquares / count - (otherSum / count) ** 2,
    covariance: products / count - (sum / count) * (otherSum / count),
  };
}

/**
 * The share of what a picture shows (its blocks with any detail) that is other in a second one of the same shape: with
 * a photograph taken out of it, how much of the picture the photograph was.
 */
export async function differingShare(picture: Buffer, without: Buffer): Promise<number> {
  const { width, height } = await sharp(picture).metadata();
  const scale = LONGER_SIDE / Math.max(width, height);
  const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
  const [one, other] = await Promise.all([luma(picture, across, down), luma(without, across, down)]);
  let [shown, differing] = [0, 0];
  for (let y = 0; y + BLOCK <= down; y += BLOCK) {
    for (let x = 0; x + BLOCK <= across; x += BLOCK) {
      const { variance, otherVariance, covariance } = compare(one, other, across, y * across + x);
      if (variance <= DETAIL) continue;
      shown += 1;
      const isSame =
        covariance > SAME * Math.sqrt(variance * otherVariance) && otherVariance > LEFT * variance;
      if (!isSame) differing += 1;
    }
  }
  return shown === 0 ? 0 : differing / shown;
}
