/** Most that the whole client may add to a page, in bytes, minified and compressed with gzip. */
export const CLIENT_BUDGET_BYTES = 14_500;
