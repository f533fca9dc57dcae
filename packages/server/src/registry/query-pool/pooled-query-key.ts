/** The purpose under which the key of a pooled query image is sealed. */
export const QUERY_KEY_SEAL = "pooled query";
