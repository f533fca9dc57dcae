/** An HTTP answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The body as text. */
  readonly text: string;
}

/** Reads a response to its end. */
export async function readAnswer(response: Response): Promise<Answer> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text: new TextDecoder("utf-8", { fatal: true }).decode(bytes),
  };
}

/** The body of an `application/json` answer with the status given, as its caller knows it to be. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the shape and says so
export function jsonOf<T>(answer: Answer, status = 200): T {
  const type = answer.headers.get("content-type")?.split(";")[0];
  if (answer.status !== status || type !== "application/json") {
    throw new Error(`Expected ${status} application/json, not ${answer.status} ${type}: ${answer.text}`);
  }
  return JSON.parse(answer.text);
}

/** The rows of an `application/x-ndjson` answer. */
export function linesOf<T>(answer: Answer): T[] {
  const type = answer.headers.get("content-type")?.split(";")[0];
  if (answer.status !== 200 || type !== "application/x-ndjson") {
    throw new Error(`Expected 200 application/x-ndjson, not ${answer.status} ${type}: ${answer.text}`);
  }
  if (answer.text !== "" && !answer.text.endsWith("\n")) throw new Error("The last line is not ended.");
  return answer.text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
