/** One breach of a rule: what should hold, and where it does not. */
export interface Breach {
  readonly rule: string;
  readonly what: string;
}
