/** What a resolver said when it refused. */
export interface ResolverRefusal {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
}

/** A resolver that refused, did not answer, or answered what is not of its API. */
export class ResolverError extends Error {
  override readonly name = "ResolverError";
  /** Null where it did not refuse. */
  readonly refusal: ResolverRefusal | null;

  constructor(
    message: string,
    { refusal = null, cause }: { refusal?: ResolverRefusal | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.refusal = refusal;
  }
}
