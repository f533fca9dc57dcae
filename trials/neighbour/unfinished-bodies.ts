import { RawConnection } from "@colophon/testing/raw-connection.ts";
import { type Attack, pause, repeatedly } from "./behaviour.ts";

/** Time between the bytes that keep a body alive. */
const BETWEEN_BYTES_MS = 10_000;
/** A connection that is refused at once would be opened again at once. */
const BEFORE_ANOTHER_MS = 200;

/** A request that never ends. */
export interface Unfinished {
  readonly target: string;
  readonly contentType: string;
  /** Bytes that the request declares. */
  readonly declared: number;
  /** What it begins with. */
  readonly opening: Buffer;
  /** Zero bytes sent after that, at once. */
  readonly sentAtOnce: number;
}

/**
 * Holds `connections` connections with such a request, a byte from time to time; opens another for each that is ended.
 */
export async function holdUnfinished(
  attack: Attack,
  connections: number,
  request: Unfinished,
): Promise<void> {
  await repeatedly(attack, connections, async () => {
    using connection = await RawConnection.open(attack.baseUrl);
    connection.write(headOf(attack, request));
    connection.write(request.opening);
    const chunk = Buffer.alloc(1 << 20);
    for (let left = request.sentAtOnce; left > 0 && !connection.ended; left -= chunk.length) {
      connection.write(chunk.subarray(0, left));
      await connection.room();
    }
    while (!connection.ended && !attack.signal.aborted && connection.statuses.length === 0) {
      await Promise.race([pause(attack.signal, BETWEEN_BYTES_MS), connection.news()]);
      connection.write(Buffer.alloc(1));
    }
    for (const status of connection.statuses) attack.count(String(status));
    await pause(attack.signal, BEFORE_ANOTHER_MS);
  });
}

function headOf({ token }: Attack, { target, contentType, declared }: Unfinished): Buffer {
  const lines = [
    `POST ${target} HTTP/1.1`,
    "Host: neighbour",
    `Authorization: Bearer ${token}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${declared}`,
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
}
