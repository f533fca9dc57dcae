/** What a picture says of who made it and on what terms it may be used, under schema.org's names. */
export interface CreditLine {
  readonly creator: readonly string[];
  readonly creditText: string | null;
  readonly copyrightNotice: string | null;
  readonly license: string | null;
  readonly acquireLicensePage: string | null;
}

/** What a source says under each name, in its order. */
export type Said = Partial<Record<keyof CreditLine, string[]>>;
