#!/usr/bin/env node
/**
 * Firefox as the browser driver expects it: starts it with the arguments given, and stands between the two. Firefox ESR
 * has no command yet by which WebDriver BiDi sets media features, and the driver cannot do without an answer; the relay
 * has Firefox answer it with its status instead. What the page prefers is set by Firefox's own settings.
 */
import { spawn } from "node:child_process";
import { createServer, connect, type AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { once } from "node:events";
import { Transform } from "node:stream";

const UNKNOWN = '"method":"emulation.setMediaFeaturesOverride"';
const HARMLESS = '"method":"session.status"'.padEnd(UNKNOWN.length);
const LISTENING = /WebDriver BiDi listening on ws:\/\/127\.0\.0\.1:(\d+)/;

/** What a client sends: the handshake, then masked frames (RFC 6455, 5.2), each passed on once it is whole. */
class Frames extends Transform {
  readonly #host: string;
  #rest = Buffer.alloc(0);
  #isOpen = false;

  /** @param host what the handshake must name: Firefox answers nobody who asks for another port */
  constructor(host: string) {
    super();
    this.#host = host;
  }

  override _transform(chunk: Buffer, _: string, done: () => void): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    if (!this.#isOpen) {
      const end = this.#rest.indexOf("\r\n\r\n");
      if (end < 0) return done();
      const handshake = this.#take(end + 4).toString("latin1");
      this.push(handshake.replace(/^host: .*$/im, `Host: ${this.#host}`));
      this.#isOpen = true;
    }
    for (
      let length = frameLength(this.#rest);
      length <= this.#rest.length;
      length = frameLength(this.#rest)
    ) {
      this.push(withoutUnknown(this.#take(length)));
    }
    done();
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }
}

/** Bytes of a frame's head up to its payload, and of the payload; infinite while the head is not whole. */
function frameParts(frame: Buffer): readonly [head: number, payload: number] {
  const short = (frame[1] ?? 0) & 127;
  const head = short < 126 ? 6 : short === 126 ? 8 : 14;
  if (frame.length < head) return [head, Infinity];
  if (short < 126) return [head, short];
  return [head, short === 126 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2))];
}

function frameLength(frame: Buffer): number {
  const [head, payload] = frameParts(frame);
  return head + payload;
}

function withoutUnknown(frame: Buffer): Buffer {
  const [head] = frameParts(frame);
  const [front, mask] = [frame.subarray(0, head), frame.subarray(head - 4, head)];
  const masked = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  const text = masked(frame.subarray(head)).toString("latin1");
  return Buffer.concat([front, masked(Buffer.from(text.replace(UNKNOWN, HARMLESS), "latin1"))]);
}

const browser = spawn(process.env["FIREFOX"] ?? "/usr/bin/firefox-esr", process.argv.slice(2), {
  stdio: ["ignore", "inherit", "pipe"],
});
process.on("SIGTERM", () => browser.kill());
browser.once("exit", (code) => process.exit(code ?? 1));
for await (const line of createInterface(browser.stderr)) {
  const port = Number(LISTENING.exec(line)?.[1] ?? Number.NaN);
  if (Number.isNaN(port)) {
    process.stderr.write(`${line}\n`);
    continue;
  }
  const relay = createServer((client) => {
    const firefox = connect(port, "127.0.0.1");
    client
      .pipe(new Frames(`127.0.0.1:${port}`))
      .pipe(firefox)
      .pipe(client);
    for (const socket of [client, firefox]) socket.on("error", () => socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  const address = relay.address() as AddressInfo;
  process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${address.port}\n`);
}
