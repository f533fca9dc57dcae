/** The identity of a log: where it is served, and how often it had to begin again. */
export interface Origin {
  /** The base URL without its scheme, and `/log`. */
  readonly origin: string;
  /** 1, and one more each time the database was restored to before a checkpoint that had been signed. */
  readonly generation: number;
}

const LINE = /^(.*?)(?:\/([1-9]\d*))?$/;

/** The origin of a deployment's first log. A plus, which no name of a key may have, is percent-encoded. */
export function originAt(baseUrl: string): string {
  return `${baseUrl.replace(/^https?:\/\//, "").replaceAll("+", "%2B")}/log`;
}

/** The origin as it stands in checkpoints and names the log's key: a later generation has its number behind it. */
export function originLine({ origin, generation }: Origin): string {
  return generation === 1 ? origin : `${origin}/${generation}`;
}

/** The origin that a checkpoint names. */
export function parseOrigin(line: string): Origin {
  const [, origin = line, generation = "1"] = LINE.exec(line) ?? [];
  return { origin, generation: Number(generation) };
}
