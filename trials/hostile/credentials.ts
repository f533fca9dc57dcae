/**
 * Mutates signed pictures, their C2PA manifest stores and their XMP packets, and gives them to every reader of them:
 * what a file carries, the index of stores, the credit line, the validation. Each answers or finds nothing; none
 * throws, dawdles or keeps memory.
 *
 *     node trials/hostile/credentials.ts [--files 20000] [--seed 1]
 */
import { brotliDecompressSync } from "node:zlib";
import { creditLine, judgeStore } from "@colophon/credentials";
import { embeddedMetadata, readC2paStore } from "@colophon/formats";
import { flipped, pick } from "@colophon/testing/chance.ts";
import { c2paLibrary, newSigner, signPicture } from "@colophon/testing/credentials/content-credentials.ts";
import { unsignedStore } from "@colophon/testing/credentials/c2pa-store.ts";
import { paintedPicture, type Random, seededRandom } from "@colophon/testing/pictures.ts";
import sharp from "sharp";
import { Findings } from "../support/findings.ts";
import { runTrial } from "../support/run-trial.ts";
import { Progress } from "../support/progress.ts";

/** Processor time that one reading may take, and memory that a run may keep. */
const MOST_MS = 2_000;
const SLACK_MIB = 200;
const WARM_UP = 200;
const MIB = 1_048_576;
const LIBRARY = c2paLibrary();

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:p="http://ns.adobe.com/photoshop/1.0/" p:Credit="Press">
<dc:creator><rdf:Seq><rdf:li>Ada &amp; Co</rdf:li><rdf:li><![CDATA[Grace]]></rdf:li></rdf:Seq></dc:creator>
<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">\u00a9 Press</rdf:li></rdf:Alt></dc:rights>
</rdf:Description></rdf:RDF></x:xmpmeta>`;

/** What a run saw; `breaches` must be empty. */
export interface HostileCredentialsReport {
  readonly files: number;
  readonly seed: number;
  /** How often each reader found something, and how often nothing. */
  readonly said: Readonly<Record<string, number>>;
  readonly longestMs: number;
  readonly keptMiB: number;
  readonly breaches: readonly string[];
}

/** Reads `files` mutated files and stores, all drawn from `seed` but for the signatures. */
export async function runHostileCredentials(options: {
  readonly files: number;
  readonly seed: number;
  readonly progress?: Progress;
}): Promise<HostileCredentialsReport> {
  const { files, seed, progress } = options;
  const findings = new Findings();
  const random = seededRandom(seed);
  const sound = await soundFiles(seed);
  let longestMs = 0;
  let keptBefore = 0;
  for (let count = 0; count < files; count += 1) {
    if (count === Math.min(WARM_UP, files - 1)) keptBefore = keptBytes();
    const file = mutated(random, pick(random, sound));
    const began = process.cpuUsage();
    try {
      await readEverything(file, findings);
    } catch (error) {
      findings.breach(`file ${count}: ${error instanceof Error ? error.stack : String(error)}`);
    }
    const { user, system } = process.cpuUsage(began);
    const took = (user + system) / 1_000;
    longestMs = Math.max(longestMs, took);
    findings.expect(took < MOST_MS, `file ${count} is read within ${MOST_MS} ms, not ${took}`);
    progress?.report(count + 1, files, findings.breaches.length);
  }
  const keptMiB = (keptBytes() - keptBefore) / MIB;
  findings.expect(keptMiB < SLACK_MIB, `memory goes back: ${keptMiB} MiB stay`);
  return { files, seed, said: findings.counts, longestMs, keptMiB, breaches: findings.breaches };
}

function keptBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function readEverything(file: Uint8Array, findings: Findings): Promise<void> {
  const metadata = embeddedMetadata(file);
  const store = metadata.c2paStore ?? file;
  const found: Readonly<Record<string, unknown>> = {
    "store in a file": metadata.c2paStore,
    "store indexed": readC2paStore(store, inflate),
    "credit line": creditLine(metadata),
    "credit line of the bytes": creditLine({ xmp: file, iim: file }),
    "store judged": await judgeStore(LIBRARY, { store, file, lists: [] }),
  };
  for (const [reader, answer] of Object.entries(found)) {
    findings.count(`${reader}: ${answer === null ? "nothing" : "something"}`);
  }
}

function inflate(compressed: Uint8Array): Uint8Array | null {
  try {
    return brotliDecompressSync(compressed, { maxOutputLength: 4 * MIB });
  } catch {
    return null;
  }
}

/** Signed pictures of each type, stores alone, one compressed, and an XMP packet alone. */
async function soundFiles(seed: number): Promise<readonly Uint8Array[]> {
  const signer = newSigner("Press");
  const files: Uint8Array[] = [Buffer.from(XMP)];
  for (const format of ["jpeg", "png", "webp"] as const) {
    const painted = await paintedPicture(seed, 72, 48, format);
    const credited = await sharp(painted).withXmp(XMP).toFormat(format).toBuffer();
    const { file, store } = await signPicture(Uint8Array.from(credited), `image/${format}`, signer);
    files.push(file, store);
    const small = await signPicture(Uint8Array.from(credited), `image/${format}`, signer, {
      isCompressed: true,
    });
    files.push(small.store);
  }
  const softBindings = [{ alg: "com.example.mark.1", values: [Buffer.from("one"), Buffer.from("two")] }];
  return [...files, unsignedStore([{ label: "urn:c2pa:a" }, { label: "urn:c2pa:b", softBindings }])];
}

/** A file with bytes changed, cut out, repeated, or lengths and counts made huge. */
function mutated(random: Random, file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file);
  const at = Math.floor(random() * bytes.length);
  const length = 1 + Math.floor(random() ** 3 * bytes.length);
  const ways: readonly (() => Buffer)[] = [
    () => flipped(random, bytes, 1 + Math.floor(random() * 8)),
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]),
    () => Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]),
    () =>
      Buffer.from(bytes).fill(
        pick(random, [0x00, 0xff, 0x7f, 0x9f, 0xbf, 0x3c]),
        at,
        Math.min(at + length, at + 8, bytes.length),
      ),
    () =>
      Buffer.concat([
        bytes.subarray(0, at),
        Buffer.alloc(Math.min(length, 4096), "jumb<a>\xa1\x9b"),
        bytes.subarray(at),
      ]),
  ];
  return Uint8Array.from(pick(random, ways)());
}

if (import.meta.main) {
  await runTrial({ files: 20_000, seed: 1 }, (options) =>
    runHostileCredentials({ ...options, progress: new Progress("files") }),
  );
}
