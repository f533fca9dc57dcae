/**
 * Reads without a token, asked by a flood from many addresses of 127.0.0.0/8 (Linux): records from each, look-ups from
 * some, beyond their bounds, while an account looks up. Checks that no address gets more than its bound in a minute,
 * that the account is answered right all the time, and what memory it costs.
 *
 *     node trials/public-flood.ts [--addresses 5000] [--seconds 40] [--seed 1]
 */
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient } from "@colophon/testing/api-client.ts";
import { pick } from "@colophon/testing/chance.ts";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { derivedPicture } from "@colophon/testing/derived-picture.ts";
import { paintedPicture, seededRandom } from "@colophon/testing/pictures.ts";
import { TrialService } from "./support/trial-service.ts";

/** What is asked, with how often an address may in a minute. */
const BOUNDS = { lookup: 3, record: 10 } as const;
type Asked = keyof typeof BOUNDS;
/** So many addresses ask again and again; the others come by once in a while. */
const INSISTENT = 50;
const CALLERS = 32;
const LOOKING_UP = 4;
const MEMORY_MIB = 150;
const MINUTE_MS = 60_000;

const { values } = readCommandLine({
  options: {
    addresses: { type: "string", default: "5000" },
    seconds: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
  },
});
const random = seededRandom(Number(values.seed));
const addresses = Array.from(
  { length: Number(values.addresses) },
  (_, at) => `127.${1 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`,
);
await using service = await TrialService.start({
  COLOPHON_PUBLIC: "lookups",
  COLOPHON_PUBLIC_LOOKUPS_PER_MINUTE: String(BOUNDS.lookup),
  COLOPHON_PUBLIC_RECORDS_PER_MINUTE: String(BOUNDS.record),
});
const { token } = await service.account();
const client = new ApiClient(service.baseUrl, token);
const picture = await paintedPicture(Number(values.seed), 200, 140);
const { originalImageHash } = (await client.register(picture)).body;
const crop = await derivedPicture(picture);
const breaches: string[] = [];
const agent = new Agent({ keepAlive: false });
const answered = new Map<string, number>();
/** Answers that each address got, by what it asked for. */
const served = new Map<string, Record<Asked, number>>();

const alone = await account(5_000);
const { resident: before } = service.process.memory();
service.process.forgetPeak();
const over = new AbortController();
const began = performance.now();
const flood = Array.from({ length: CALLERS }, (_, at) => ask(at < LOOKING_UP ? "lookup" : "record"));
const beside = await account(Number(values.seconds) * 1_000);
over.abort();
await Promise.all(flood);
const { resident: after, peak } = service.process.memory();
// An address's minute begins with its first call.
const minutes = Math.floor((performance.now() - began) / MINUTE_MS) + 1;
for (const [address, got] of served) {
  if (got.lookup > BOUNDS.lookup * minutes || got.record > BOUNDS.record * minutes) {
    breaches.push(`${address} got ${JSON.stringify(got)} in ${minutes} minutes`);
  }
}
if (peak - before > MEMORY_MIB) breaches.push(`${(peak - before).toFixed(0)} MiB more memory`);
for (const [what, times] of answered) say(`${what}: ${times}`);
say(`${served.size} of ${addresses.length} addresses were served`);
say(
  `the account: ${alone.count} look-ups alone, middle ${alone.middle} ms; ${beside.count} beside the flood, middle ${beside.middle} ms`,
);
say(`memory: ${before.toFixed(0)} MiB before, ${after.toFixed(0)} after, ${peak.toFixed(0)} at most`);
for (const breach of breaches) say(`broken: ${breach}`);
process.exitCode = breaches.length === 0 ? 0 : 1;

/** Looks the crop up, one call after the other. */
async function account(forMs: number): Promise<{ count: number; middle: string }> {
  const times: number[] = [];
  for (const until = performance.now() + forMs; performance.now() < until; ) {
    const asked = performance.now();
    const { status, body } = await client.lookUp(crop);
    times.push(performance.now() - asked);
    if (status !== 200 || !body.matchedOriginalImageHashes.includes(originalImageHash)) {
      breaches.push(`the account's look-up is answered ${status}`);
    }
  }
  const middle = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
  return { count: times.length, middle: middle.toFixed(0) };
}

async function ask(what: Asked): Promise<void> {
  while (!over.signal.aborted) {
    const pool = random() < 0.5 ? addresses.slice(0, INSISTENT) : addresses;
    const address = pick(random, pool);
    const status = await send(address, what);
    const key = `${what} ${status}`;
    answered.set(key, (answered.get(key) ?? 0) + 1);
    if (status === 200) {
      const got = served.get(address) ?? { lookup: 0, record: 0 };
      got[what] += 1;
      served.set(address, got);
    } else if (status !== 429 && status !== 503) breaches.push(`${what} is answered ${status}`);
    if (what === "lookup") await sleep(20);
  }
}

async function send(localAddress: string, what: Asked): Promise<number> {
  const { hostname, port } = new URL(service.baseUrl);
  const boundary = "part";
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), crop, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const sent =
    what === "record"
      ? request({ agent, hostname, port, localAddress, path: `/records/${originalImageHash}` })
      : request({
          agent,
          hostname,
          port,
          localAddress,
          method: "POST",
          path: "/lookup",
          headers: {
            "content-type": `multipart/form-data; boundary=${boundary}`,
            "content-length": body.length,
          },
        });
  sent.end(what === "record" ? undefined : body);
  try {
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    await text(answer);
    return answer.statusCode ?? 0;
  } catch {
    return 0;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
