import type { Features, Plane } from "@colophon/engine/lab";
import { type Signs, WHOLE_TERMS, type WholeModel } from "./whole.ts";
import { conjugateGradients } from "./conjugate-gradients.ts";
import { PATCH, REACH } from "./patches.ts";

/** How much a difference that nothing speaks of is kept small, against one weight of a patch's middle. */
const SMOOTHNESS = 0.02;
/** How much the picture as a whole counts against the points. */
const WHOLE_WEIGHT = 40;
const ROUNDS = 150;

/** Differences between neighbouring pixels that patches ask for, across and down. */
export class DifferenceCanvas {
  readonly width: number;
  readonly height: number;
  readonly #across: Float64Array;
  readonly #acrossWeight: Float64Array;
  readonly #down: Float64Array;
  readonly #downWeight: Float64Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    const plane = (): Float64Array => new Float64Array(width * height);
    [this.#across, this.#acrossWeight, this.#down, this.#downWeight] = [plane(), plane(), plane(), plane()];
  }

  /** Lays the patch of one point where the point lies. */
  lay(patch: Float64Array, features: Features, point: number): void {
    const reach = REACH * features.size[point]!;
    const [px, py] = [features.x[point]!, features.y[point]!];
    const [cos, sin] = [Math.cos(features.angle[point]!) / reach, Math.sin(features.angle[point]!) / reach];
    const bounds = (centre: number, length: number): readonly [number, number] => [
      Math.max(0, Math.ceil(centre - 1.4 * reach)),
      Math.min(length - 2, Math.floor(centre + 1.4 * reach)),
    ];
    const [top, bottom] = bounds(py, this.height);
    const [left, right] = bounds(px, this.width);
    const read = (x: number, y: number): number => {
      const [dx, dy] = [x - px, y - py];
      return patchAt(patch, dx * cos + dy * sin, dy * cos - dx * sin);
    };
    for (let y = top; y <= bottom; y += 1) {
      for (let x = left; x <= right; x += 1) {
        const [dx, dy] = [x - px, y - py];
        const [u, v] = [dx * cos + dy * sin, dy * cos - dx * sin];
        if (Math.max(Math.abs(u), Math.abs(v)) > 0.9) continue;
        const weight = Math.exp(-2 * (u * u + v * v)) / features.size[point]!;
        const here = read(x, y);
        const at = y * this.width + x;
        this.#across[at]! += weight * (read(x + 1, y) - here);
        this.#acrossWeight[at]! += weight;
        this.#down[at]! += weight * (read(x, y + 1) - here);
        this.#downWeight[at]! += weight;
      }
    }
  }

  /** The picture that fits the differences best and, where given, its cosine signs. */
  solve(whole: { readonly model: WholeModel; readonly signs: Signs } | null): Plane {
    const { width, height } = this;
    const target = new Float64Array(width * height);
    this.#spread(this.#across, this.#down, target);
    const terms = new Float64Array(WHOLE_TERMS * WHOLE_TERMS);
    const basis = whole?.model.basis(width, height);
    if (whole && basis) {
      const wanted = whole.model.expected(whole.signs);
      whole.model.weigh(wanted, WHOLE_WEIGHT);
      basis.backward(wanted, target);
    }
    const differences = [new Float64Array(width * height), new Float64Array(width * height)] as const;
    const apply = (x: Float64Array, into: Float64Array): void => {
      into.fill(0);
      const [across, down] = differences;
      for (let y = 0, at = 0; y < height; y += 1) {
        for (let i = 0; i < width; i += 1, at += 1) {
          across[at] = i + 1 < width ? (this.#acrossWeight[at]! + SMOOTHNESS) * (x[at + 1]! - x[at]!) : 0;
          down[at] = y + 1 < height ? (this.#downWeight[at]! + SMOOTHNESS) * (x[at + width]! - x[at]!) : 0;
        }
      }
      this.#spread(across, down, into);
      for (let k = 0; k < x.length; k += 1) into[k]! += 1e-5 * x[k]!;
      if (!whole || !basis) return;
      basis.forward(x, terms);
      whole.model.weigh(terms, WHOLE_WEIGHT);
      basis.backward(terms, into);
    };
    const picture = new Float64Array(width * height);
    conjugateGradients(apply, target, picture, ROUNDS);
    return { width, height, data: Float32Array.from(picture) };
  }

  /** Adds the transpose of taking differences. */
  #spread(across: Float64Array, down: Float64Array, into: Float64Array): void {
    const { width, height } = this;
    for (let y = 0, at = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1, at += 1) {
        if (x + 1 < width) {
          into[at]! -= across[at]!;
          into[at + 1]! += across[at]!;
        }
        if (y + 1 < height) {
          into[at]! -= down[at]!;
          into[at + width]! += down[at]!;
        }
      }
    }
  }
}

/** Linear interpolation in a patch; u and v from -1 to 1, its border repeated outside. */
function patchAt(patch: Float64Array, u: number, v: number): number {
  const x = Math.min(PATCH - 1, Math.max(0, ((u + 1) / 2) * PATCH - 0.5));
  const y = Math.min(PATCH - 1, Math.max(0, ((v + 1) / 2) * PATCH - 0.5));
  const [x0, y0] = [Math.min(PATCH - 2, Math.floor(x)), Math.min(PATCH - 2, Math.floor(y))];
  const at = y0 * PATCH + x0;
  const upper = patch[at]! * (1 - x + x0) + patch[at + 1]! * (x - x0);
  const lower = patch[at + PATCH]! * (1 - x + x0) + patch[at + PATCH + 1]! * (x - x0);
  return upper * (1 - y + y0) + lower * (y - y0);
}
