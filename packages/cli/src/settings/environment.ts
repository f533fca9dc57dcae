/** The value of an environment variable, `undefined` when it is not set or empty. */
export function fromEnvironment(name: string): string | undefined {
  return process.env[name]?.trim() || undefined;
}
