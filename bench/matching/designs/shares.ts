/** Half the width of the 95 % interval in standard deviations. */
const Z = 1.96;

/** The 95 % interval of a share by E. B. Wilson's score (1927). */
export function wilson(count: number, of: number): readonly [low: number, high: number] {
  if (of === 0) return [0, 1];
  const share = count / of;
  const middle = share + (Z * Z) / (2 * of);
  const spread = Z * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of));
  const scale = 1 + (Z * Z) / of;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}

/** A share with its interval: `0.021 [0.008, 0.052] (4 of 190)`. */
export function shareText(count: number, of: number): string {
  if (of === 0) return "-";
  const [low, high] = wilson(count, of);
  return `${(count / of).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}] (${count} of ${of})`;
}
