export * from "./encoding.ts";
export * from "./hashes.ts";
export * from "./jumbf.ts";
export * from "./ledger.ts";
export * from "./manifest.ts";
export * from "./preimages.ts";
