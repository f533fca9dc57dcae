export * from "./refusal.ts";
export * from "./refusals.ts";
export * from "./sentences.ts";
