/** Most that the whole client may add to a page, in bytes, minified and compressed with gzip. */
export const CLIENT_BUDGET_BYTES = 16_400;

/** Most that the client's routes add to a page that takes nothing else of it. */
export const ROUTES_BUDGET_BYTES = 6_500;
