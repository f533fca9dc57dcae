import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { Readable } from "node:stream";

/** An answer and how long it took from the first byte sent to the last one read. */
export interface TimedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly milliseconds: number;
}

/** A request that can be sent any number of times. */
export interface PreparedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Makes the chunks of the body again for each sending. */
  readonly body?: () => Iterable<Buffer>;
}

/** Sends requests over at most `connections` connections that stay open. */
export class KeepAliveClient implements Disposable {
  readonly #baseUrl: string;
  readonly #agent: Agent;

  constructor(baseUrl: string, connections: number) {
    this.#baseUrl = baseUrl;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  send({ method, path, headers, body }: PreparedRequest): Promise<TimedAnswer> {
    const began = performance.now();
    return new Promise((resolve, reject) => {
      let answered = false;
      const outgoing = request(this.#baseUrl + path, { method, headers, agent: this.#agent }, (incoming) => {
        answered = true;
        const { statusCode = 0, headers: received } = incoming;
        const settle = (): void =>
          resolve({ status: statusCode, headers: received, milliseconds: performance.now() - began });
        incoming.resume().once("end", settle).once("error", settle);
      });
      // A service that refused may stop reading; its answer is what counts.
      outgoing.on("error", (error) => answered || reject(error));
      if (body === undefined) outgoing.end();
      else Readable.from(body()).pipe(outgoing);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

const BOUNDARY = "colophon-bench-boundary";
const PART_HEAD: Buffer = Buffer.from(
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="image"; filename="i.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`,
);
const PART_END: Buffer = Buffer.from("\r\n");
const BODY_END: Buffer = Buffer.from(`--${BOUNDARY}--\r\n`);

/** A request that posts one image as its only part. `filler` bytes follow it, made while they are sent. */
export function postImage(path: string, token: string, image: Uint8Array, filler = 0): PreparedRequest {
  const length = PART_HEAD.length + image.length + filler + PART_END.length + BODY_END.length;
  return {
    ...multipartPost(path, token, length),
    body: function* () {
      yield PART_HEAD;
      yield Buffer.from(image);
      const chunk = Buffer.alloc(65_536, 0x5a);
      for (let left = filler; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
      yield PART_END;
      yield BODY_END;
    },
  };
}

/** A request that posts `count` parts of `partBytes` bytes each, all different, made while they are sent. */
export function postParts(path: string, token: string, count: number, partBytes: number): PreparedRequest {
  const length = count * (PART_HEAD.length + partBytes + PART_END.length) + BODY_END.length;
  return {
    ...multipartPost(path, token, length),
    body: function* () {
      for (let part = 0; part < count; part += 1) {
        yield PART_HEAD;
        yield Buffer.alloc(partBytes, `part ${part} `);
        yield PART_END;
      }
      yield BODY_END;
    },
  };
}

function multipartPost(path: string, token: string, length: number): PreparedRequest {
  return {
    method: "POST",
    path,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
      "content-length": length,
    },
  };
}
