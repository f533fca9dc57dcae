/** What the library reports of a store, as far as it is read here; every text is somebody else's. */
export interface Report {
  readonly active_manifest?: string;
  readonly manifests?: Readonly<Record<string, ReportedManifest>>;
  readonly validation_results?: {
    readonly activeManifest?: ReportedResults;
    readonly ingredientDeltas?: readonly {
      readonly ingredientAssertionURI?: string;
      readonly validationDeltas?: ReportedResults;
    }[];
  };
}

/** Validation codes, by what they are worth. */
export interface ReportedResults {
  readonly success?: readonly ReportedCode[];
  readonly failure?: readonly ReportedCode[];
}

/** A validation code, with the library's own words for it. */
export interface ReportedCode {
  readonly code: string;
  readonly explanation?: string;
}

/** A manifest of a store. */
export interface ReportedManifest {
  readonly title?: string;
  readonly claim_generator?: string;
  readonly claim_generator_info?: readonly { readonly name?: string; readonly version?: string }[];
  readonly signature_info?: {
    readonly issuer?: string;
    readonly common_name?: string;
    readonly time?: string;
  };
  readonly assertions?: readonly {
    readonly label: string;
    readonly data?: unknown;
  }[];
  readonly ingredients?: readonly ReportedIngredient[];
  readonly thumbnail?: ReportedResource;
}

/** A picture that another was made from. */
export interface ReportedIngredient {
  readonly title?: string;
  readonly label?: string;
  readonly relationship?: string;
  readonly active_manifest?: string;
  readonly thumbnail?: ReportedResource;
}

/** Bytes within a store. */
export interface ReportedResource {
  readonly format?: string;
  readonly identifier?: string;
}
