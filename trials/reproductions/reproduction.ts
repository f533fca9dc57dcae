/** What a reproduction saw. */
export interface Outcome {
  /** Whether the service does what it should. */
  readonly holds: boolean;
  /** What happened, with its figures, in one sentence. */
  readonly happens: string;
}

/** A defect that was once found, to be tried again on the build at hand. */
export interface Reproduction {
  /** The name that `--only` takes. */
  readonly name: string;
  /** What must not happen. */
  readonly defect: string;
  /** @param seed what all chance is drawn from */
  readonly run: (seed: number) => Promise<Outcome>;
}
