import { parseRecord, toUtf8 } from "@colophon/formats";
import {
  checkpointText,
  consistencyProof,
  EMPTY_ROOT,
  inclusionProof,
  leafHash,
  type LogProof,
  type NoteSignature,
  recordLeaf,
  rootOf,
  writeAddCheckpoint,
  writeEntry,
  writeLogProof,
  writeNote,
  writeVkey,
} from "@colophon/log";
import { answer, text } from "./answers.ts";
import {
  LOG,
  logSignature,
  OTHER_WITNESS,
  SEEN_AT,
  STRANGER,
  WITNESS,
  witnessSignature,
} from "./log-notes.ts";
import { tilesOver, vectorBytes } from "./log-trees.ts";
import { verificationWith } from "./record-vector.ts";

const RECORD = text(answer());
const NONCE = vectorBytes("nonce");
const SIZE = 11;
const INDEX = 6;

/** A log of eleven entries, the seventh of which is the record's. */
const leaves = Array.from({ length: SIZE }, (_, index) =>
  index === INDEX
    ? recordLeaf(parseRecord(toUtf8(RECORD)), NONCE)!
    : leafHash(writeEntry({ kind: "published", at: SEEN_AT, commitment: vectorBytes(`entry ${index}`) })),
);
const read = tilesOver(leaves);

async function checkpointOf(size: number): Promise<string> {
  return checkpointText({ origin: LOG.key.name, size, root: await rootOf(size, read) });
}

/** Proofs that a record is in a log: sound ones, and ones with one thing wrong each. */
export async function logProofVectors(): Promise<object> {
  const body = await checkpointOf(SIZE);
  const seen = [witnessSignature(body), witnessSignature(body, OTHER_WITNESS)];
  const note = (...signatures: NoteSignature[]): string => writeNote({ text: body, signatures });
  const sound: LogProof = {
    extra: NONCE,
    index: INDEX,
    hashes: await inclusionProof(INDEX, SIZE, read),
    checkpoint: note(logSignature(body), seen[0]!),
  };
  const vector = (
    name: string,
    proof: Partial<LogProof> | string,
    failed: readonly string[] = ["logEntry"],
    { record = RECORD, absent = [] }: { record?: string; absent?: readonly string[] } = {},
  ): object => ({
    name,
    record,
    proof: typeof proof === "string" ? proof : writeLogProof({ ...sound, ...proof }),
    failed,
    absent,
  });
  const whole = writeLogProof(sound);
  const earlier = await checkpointOf(SIZE - 1);
  const elsewhere = checkpointText({
    origin: "vectors.example/log/2",
    size: SIZE,
    root: await rootOf(SIZE, read),
  });
  const noWitness = { absent: ["logWitness 0"] };
  return {
    logKey: writeVkey(LOG.key),
    witnessKeys: [writeVkey(WITNESS.key)],
    proofs: [
      vector("seen by a witness", {}, []),
      vector("seen by no witness", { checkpoint: note(logSignature(body)) }, [], noWitness),
      vector("seen by an unknown witness", { checkpoint: note(logSignature(body), seen[1]!) }, [], noWitness),
      vector("in a log of its own", await alone(), [], noWitness),
      vector("of another record", {}, ["logEntry"], {
        record: text(verificationWith({ signedAtUtc: "2026-11-20T12:00:00.251Z" })),
      }),
      vector("of the record with another leaf certificate", {}, ["logEntry"], {
        record: text(verificationWith({ leafCertificate: answer().verification.certificateChain[0]! })),
      }),
      vector("of the record without its manifests", {}, ["logEntry"], {
        record: text({ ...answer(), manifests: [] }),
      }),
      vector("another nonce", { extra: vectorBytes("another nonce") }),
      vector("a nonce too short", { extra: NONCE.subarray(1) }),
      vector("no nonce", { extra: null }),
      vector("another index", { index: INDEX + 1 }),
      vector("an index past the end", { index: SIZE }),
      vector("a hash too few", { hashes: sound.hashes.slice(1) }),
      vector("a hash too many", { hashes: [...sound.hashes, EMPTY_ROOT] }),
      vector("hashes exchanged", { hashes: sound.hashes.toReversed() }),
      vector(
        "an earlier checkpoint",
        { checkpoint: writeNote({ text: earlier, signatures: [logSignature(earlier)] }) },
        ["logEntry"],
        noWitness,
      ),
      vector("signed by a stranger", { checkpoint: note(logSignature(body, STRANGER)) }, ["logSignature"]),
      vector("signed by a witness alone", { checkpoint: note(seen[0]!) }, ["logSignature"]),
      vector(
        "of another log of the same key",
        {
          checkpoint: writeNote({
            text: elsewhere,
            signatures: [logSignature(elsewhere), witnessSignature(elsewhere)],
          }),
        },
        ["logSignature"],
      ),
      vector(
        "a cosignature of another checkpoint",
        { checkpoint: note(logSignature(body), witnessSignature(earlier)) },
        ["logSignature"],
      ),
      vector("no checkpoint", { checkpoint: "" }, ["logSignature"]),
      vector("another version", whole.replace("@v1", "@v2"), ["logProof"]),
      vector("an index with a zero too many", whole.replace("index 6", "index 06"), ["logProof"]),
      vector("a hash that is no base64", whole.replace("index 6\n", "index 6\n?\n"), ["logProof"]),
      vector("no text", "", ["logProof"]),
    ],
  };
}

/** The proof in a log with no other entry: no hash at all. */
async function alone(): Promise<Partial<LogProof>> {
  const one = tilesOver([leaves[INDEX]!]);
  const body = checkpointText({ origin: LOG.key.name, size: 1, root: await rootOf(1, one) });
  const signatures = [logSignature(body)];
  return { index: 0, hashes: [], checkpoint: writeNote({ text: body, signatures }) };
}

/** What a log asks a witness that has seen the first five entries, and what it answers. */
export async function logWitnessVectors(): Promise<object> {
  const now = await checkpointOf(SIZE);
  const before = await checkpointOf(5);
  const hashes = await consistencyProof(5, SIZE, read);
  const signed = (body: string, signature = logSignature(body)): string =>
    writeNote({ text: body, signatures: [signature] });
  const request = { oldSize: 5, hashes, checkpoint: signed(now) };
  const whole = writeAddCheckpoint(request);
  const other = checkpointText({ origin: LOG.key.name, size: 5, root: EMPTY_ROOT });
  const unknown = checkpointText({ origin: "unknown.example/log", size: 5, root: EMPTY_ROOT });
  const forged = { ...logSignature(now, STRANGER), id: LOG.key.id };
  const vector = (name: string, body: string, status: number): object => ({ name, body, status });
  return {
    logKeys: [writeVkey(LOG.key)],
    seen: signed(before),
    requests: [
      vector("more entries", whole, 200),
      vector(
        "the same again",
        writeAddCheckpoint({ oldSize: 5, hashes: [], checkpoint: signed(before) }),
        200,
      ),
      vector("no proof", writeAddCheckpoint({ ...request, hashes: [] }), 422),
      vector("a proof too long", writeAddCheckpoint({ ...request, hashes: [...hashes, EMPTY_ROOT] }), 422),
      vector(
        "another tree of the same size",
        writeAddCheckpoint({ oldSize: 5, hashes: [], checkpoint: signed(other) }),
        422,
      ),
      vector("another size", writeAddCheckpoint({ ...request, oldSize: 4 }), 409),
      vector("as if it had seen nothing", writeAddCheckpoint({ ...request, oldSize: 0, hashes: [] }), 409),
      vector(
        "a smaller tree",
        writeAddCheckpoint({ oldSize: 5, hashes: [], checkpoint: signed(await checkpointOf(4)) }),
        400,
      ),
      vector(
        "an unknown log",
        writeAddCheckpoint({ oldSize: 0, hashes: [], checkpoint: signed(unknown) }),
        404,
      ),
      vector(
        "signed by a stranger",
        writeAddCheckpoint({ ...request, checkpoint: signed(now, logSignature(now, STRANGER)) }),
        403,
      ),
      vector("a forged signature", writeAddCheckpoint({ ...request, checkpoint: signed(now, forged) }), 403),
      vector(
        "too many hashes",
        writeAddCheckpoint({ ...request, hashes: Array.from({ length: 64 }, () => EMPTY_ROOT) }),
        400,
      ),
      vector("no old size", whole.replace("old 5\n", ""), 400),
      vector("no checkpoint", "old 5\n\n", 400),
      vector("nothing", "", 400),
    ],
  };
}
