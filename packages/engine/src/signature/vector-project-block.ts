import { Arena, bytesAt, doublesAt, floatsAt } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";
import type { PlaneAt } from "../wasm/plane-at.ts";
import type { ProjectedBlock } from "./project-block.ts";
import { BITS_PER_BLOCK, BLOCK, BYTES_PER_BLOCK, type Projections } from "./projections.ts";

const FLOAT = 4;
const DOUBLE = 8;
/** What vectors read and write past the end of a piece. */
const SPARE = 16;
/** Scratch of `projectBlock`: for each row of a patch, and for the patterns. */
const ROW = 2048;
const PATTERNS = 2304;

/** Projects blocks of a map, one after the other, with the vector kernels: `projectBlock` and `agreeAtShifts`. */
export class BlockProjector implements ProjectedBlock, Disposable {
  readonly #arena: Arena<"stream" | "patch" | "table" | "products" | "agreement">;
  readonly #band: PlaneAt;
  readonly #projections: Projections;
  readonly #radius: number;
  readonly #stream: Uint8Array;
  readonly patch: Float32Array;
  readonly products: Float32Array;
  /** What `agree` found. */
  readonly agreement: Float64Array;

  /** `radius`: at most 3. */
  constructor(band: PlaneAt, projections: Projections, radius: number) {
    const side = BLOCK + 2 * radius;
    const shifts = (2 * radius + 1) ** 2;
    this.#arena = new Arena({
      stream: BYTES_PER_BLOCK,
      patch: FLOAT * side * side + SPARE,
      table: ROW * side + PATTERNS,
      products: FLOAT * BITS_PER_BLOCK * shifts + SPARE,
      agreement: DOUBLE * shifts + SPARE,
    });
    const { at } = this.#arena;
    this.#band = band;
    this.#projections = projections;
    this.#radius = radius;
    this.#stream = bytesAt(at.stream, BYTES_PER_BLOCK);
    this.patch = floatsAt(at.patch, side * side);
    this.products = floatsAt(at.products, BITS_PER_BLOCK * shifts);
    this.agreement = doublesAt(at.agreement, shifts);
  }

  /** Goes on to the block of this number, which lies at (left, top). */
  project(block: number, left: number, top: number): void {
    this.#projections.copyBlock(block, this.#stream);
    const { stream, patch, table, products } = this.#arena.at;
    const { width, height, at } = this.#band;
    kernels.projectBlock(at, width, height, left, top, this.#radius, stream, patch, table, products);
  }

  get energy(): number {
    return kernels.patchEnergy(this.#arena.at.patch, this.#radius);
  }

  /** Compares the block's bits with its products; see `agreement`. */
  agree(bits: number): void {
    const { products, agreement } = this.#arena.at;
    kernels.agreeAtShifts(bits, products, this.agreement.length, agreement);
  }

  [Symbol.dispose](): void {
    this.#arena[Symbol.dispose]();
  }
}
