// AssemblyScript, compiled to kernels.wasm by `npm run kernels -w @colophon/engine`. All pointers are byte offsets
// into the exported memory; the caller lays it out.
export { blake3Chunks, blake3End, blake3Start } from "./blake3";
export { blur, double, halve } from "./scale-space";
export { findCandidates, refineExtrema } from "./extrema";
export { clearScratch, describe, descriptor, directionHistogram, directions } from "./gradients";
export { nearestWords, setVocabulary } from "./words";
export { nearestTwo } from "./hamming";
export { accumulate, average, luma } from "./raster";
export { agreeAtShifts, patchEnergy, projectBlock } from "./blocks";
export { measureBlocks } from "./measures";
export { shrinkColumns, shrinkRows } from "./shrinking";
export { sampleWindow } from "./sampling";
export { blurPlane, subtractPlane } from "./bands";
export { bendSums } from "./noise";

/** Where the caller's part of the memory begins. */
export const heapBase: usize = __heap_base;
