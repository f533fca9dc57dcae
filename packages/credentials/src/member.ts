/** A member of a value that others wrote; undefined of what is no object, and of one without it. */
export function memberIn(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
