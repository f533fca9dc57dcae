import { Failure, type Refusal } from "./failure.ts";

const TIMEOUT_MS = 60_000;

/** The `/admin` routes of one service over HTTP. */
export class AdminClient {
  readonly #baseUrl: string;
  readonly #token: string;

  constructor(baseUrl: string, token: string) {
    this.#baseUrl = baseUrl;
    this.#token = token;
  }

  /**
   * Calls a route and returns its JSON answer, `null` on 204. `Answer` is the contract's type of that route.
   *
   * @throws Failure (refused, unreachable)
   */
  async call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await this.#send(method, path, { signal, ...(body && { body: JSON.stringify(body) }) });
    const text = await this.#guard(() => response.text());
    try {
      return JSON.parse(text === "" ? "null" : text);
    } catch (error) {
      throw this.#stranger(error);
    }
  }

  /**
   * Calls a route that streams, and yields the bytes of its answer as they come.
   *
   * @throws Failure (refused, unreachable), also when the answer breaks off
   */
  async *stream(path: string): AsyncGenerator<Uint8Array> {
    const response = await this.#send("GET", path, {});
    const reader = response.body?.getReader();
    if (reader === undefined) return;
    for (;;) {
      const { done, value } = await this.#guard(() => reader.read());
      if (done) return;
      yield value;
    }
  }

  async #send(method: string, path: string, init: RequestInit): Promise<Response> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(init.body === undefined ? {} : { "content-type": "application/json" }),
    };
    const response = await this.#guard(() =>
      fetch(this.#baseUrl + path, { ...init, method, headers, redirect: "error" }),
    );
    if (response.ok) return response;
    throw Failure.refused(await this.#refusal(response));
  }

  async #refusal(response: Response): Promise<Refusal> {
    const text = await this.#guard(() => response.text());
    try {
      const problem: unknown = JSON.parse(text);
      if (isRefusal(problem)) return problem;
    } catch (error) {
      throw this.#stranger(error);
    }
    throw this.#stranger();
  }

  async #guard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw Failure.unreachable(
        `The service at ${this.#baseUrl} cannot be reached: ${reason(error)}.`,
        error,
      );
    }
  }

  #stranger(cause?: unknown): Failure {
    return Failure.unreachable(`What answers at ${this.#baseUrl} is not a Colophon service.`, cause);
  }
}

function isRefusal(value: unknown): value is Refusal {
  return (
    typeof value === "object" &&
    value !== null &&
    "title" in value &&
    typeof value.title === "string" &&
    "status" in value &&
    typeof value.status === "number" &&
    "detail" in value &&
    typeof value.detail === "string"
  );
}

/** `fetch` hides what went wrong in the cause of its error. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  const { cause } = error;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
