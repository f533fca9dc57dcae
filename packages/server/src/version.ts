import manifest from "../package.json" with { type: "json" };

export const SERVICE_NAME = "Colophon";

/** The running build. */
export const VERSION: string = manifest.version;
