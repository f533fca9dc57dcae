import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  fromHex,
  fromPem,
  fromUtf8,
  parseRecord,
  recordPreimage,
  statementOf,
  storedBytes,
  toBase64,
  toHex,
  toUtf8,
} from "@colophon/formats";
import { describe, expect, test } from "vitest";
import {
  commitmentTo,
  hashesAt,
  judgeCheckpoint,
  leafHash,
  openCheckpoint,
  parseEntry,
  parseNote,
  parseReceipt,
  parseTilePath,
  parseVkey,
  type Receipt,
  RECEIPT_ALGORITHM,
  tilePath,
  TILE_WIDTH,
  type TileName,
  verifyConsistency,
  verifyInclusion,
  verifyLogProof,
  verifyReceipt,
  verifySignatures,
  writeEntry,
  writeNote,
  writeVkey,
} from "../src/index.ts";
import { naiveLeaf, naivePath, naiveProof, naiveRoot } from "./naive-tree.ts";

const folder = new URL("../../../vectors/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(`log/${name}.json`, folder), "utf8");

interface Inclusion {
  readonly index: number;
  readonly size: number;
  readonly proof: readonly string[];
}
interface Consistency {
  readonly oldSize: number;
  readonly size: number;
  readonly proof: readonly string[];
}
interface Large {
  readonly size: number;
  readonly root: string;
  readonly inclusion: readonly Inclusion[];
  readonly consistency: readonly Consistency[];
}
interface Trees {
  readonly entries: readonly string[];
  readonly leafHashes: readonly string[];
  readonly roots: readonly { size: number; root: string }[];
  readonly inclusion: readonly Inclusion[];
  readonly consistency: readonly Consistency[];
  readonly large: Large;
}

test("trees", () => {
  const trees: Trees = JSON.parse(read("tree"));
  const entries = trees.entries.map(fromHex);
  // The root that RFC 6962's implementations have tested themselves with since 2013.
  expect(trees.roots[8]?.root).toBe("5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");
  expect(trees.leafHashes).toEqual(entries.map((entry) => naiveLeaf(entry).toString("hex")));
  for (const { size, root } of trees.roots) {
    expect(naiveRoot(entries.slice(0, size)).toString("hex")).toBe(root);
  }
  for (const { index, size, proof } of trees.inclusion) {
    expect(naivePath(index, entries.slice(0, size)).map((hash) => hash.toString("hex"))).toEqual(proof);
  }
  for (const { oldSize, size, proof } of trees.consistency) {
    expect(naiveProof(oldSize, entries.slice(0, size)).map((hash) => hash.toString("hex"))).toEqual(proof);
  }
});

test("a large tree", () => {
  const { large }: Trees = JSON.parse(read("tree"));
  const { size, root, inclusion, consistency } = large;
  const entries = Array.from({ length: size }, (_, index) => toUtf8(String(index)));
  const tree = { size, root: naiveRoot(entries) };
  expect(tree.root.toString("hex")).toBe(root);
  for (const { index, proof } of inclusion) {
    expect(verifyInclusion(naiveLeaf(entries[index]!), index, tree, proof.map(fromHex))).toBe(true);
  }
  for (const { oldSize, proof } of consistency.filter((one) => one.oldSize < 1000)) {
    const old = { size: oldSize, root: naiveRoot(entries.slice(0, oldSize)) };
    expect(verifyConsistency(old, tree, proof.map(fromHex))).toBe(true);
  }
});

test("tiles", () => {
  const tiles: {
    readonly paths: readonly (TileName & { readonly path: string })[];
    readonly refused: readonly string[];
    readonly trees: readonly { size: number; levels: readonly { full: number; partial: number }[] }[];
  } = JSON.parse(read("tiles"));
  for (const { path, ...name } of tiles.paths) {
    expect(tilePath(name)).toBe(path);
    expect(parseTilePath(path)).toEqual(name);
  }
  for (const path of tiles.refused) expect([path, parseTilePath(path)]).toEqual([path, null]);
  for (const { size, levels } of tiles.trees) {
    for (const [level, { full, partial }] of [...levels, { full: 0, partial: 0 }].entries()) {
      expect(hashesAt(level, size)).toBe(full * TILE_WIDTH + partial);
    }
  }
  // The two examples of the specification.
  const levels = (of: number): object | undefined => tiles.trees.find(({ size }) => size === of)?.levels;
  expect(levels(70_000)).toEqual([
    { full: 273, partial: 112 },
    { full: 1, partial: 17 },
    { full: 0, partial: 1 },
  ]);
  expect(levels(256)).toEqual([
    { full: 1, partial: 0 },
    { full: 0, partial: 1 },
  ]);
});

test("entries and commitments", () => {
  const {
    commitments,
    entries,
    refused,
  }: {
    readonly commitments: readonly { recordDigest: string; nonce: string; commitment: string }[];
    readonly entries: readonly { kind: string; at: string; entry: string; leafHash: string }[];
    readonly refused: readonly { entry: string; bytes: string }[];
  } = JSON.parse(read("entries"));
  for (const { recordDigest, nonce, commitment } of commitments) {
    expect(toHex(commitmentTo(fromHex(recordDigest), fromHex(nonce)))).toBe(commitment);
  }
  for (const { kind, at, entry, leafHash: leaf } of entries) {
    const parsed = parseEntry(toUtf8(entry));
    expect([parsed.kind, parsed.at.getTime()]).toEqual([kind, Math.floor(Date.parse(at) / 1000) * 1000]);
    expect(fromUtf8(writeEntry(parsed))).toBe(entry);
    expect(toHex(leafHash(writeEntry(parsed)))).toBe(leaf);
  }
  for (const { bytes } of refused) expect(() => parseEntry(fromHex(bytes))).toThrow(SyntaxError);
});

describe("notes", () => {
  const {
    vkeys,
    refusedVkeys,
    notes,
  }: {
    readonly vkeys: readonly { vkey: string; name: string; type: number; id: string; publicKey: string }[];
    readonly refusedVkeys: readonly string[];
    readonly notes: readonly {
      name: string;
      keys: readonly string[];
      note: string;
      signedBy: readonly string[];
      refused: boolean;
    }[];
  } = JSON.parse(read("notes"));

  test("verifier keys", () => {
    for (const { vkey, ...parts } of vkeys) {
      const key = parseVkey(vkey);
      expect(parseVkey(`${vkey}\n`)).toEqual(key);
      expect({ ...key, publicKey: toBase64(key.publicKey) }).toEqual(parts);
      expect(writeVkey(key)).toBe(vkey);
    }
    for (const vkey of refusedVkeys) expect(() => parseVkey(vkey)).toThrow(SyntaxError);
  });

  test.each(notes.filter(({ refused }) => !refused))("$name", ({ keys, note, signedBy }) => {
    const open = (): string[] =>
      verifySignatures(parseNote(note), keys.map(parseVkey)).map(({ key }) => key.name);
    expect(open()).toEqual(signedBy);
    expect(writeNote(parseNote(note))).toBe(note);
  });

  test.each(notes.filter(({ refused }) => refused))("$name: refused", ({ keys, note }) => {
    expect(() => verifySignatures(parseNote(note), keys.map(parseVkey))).toThrow(
      /signature|signed note|base64/,
    );
  });
});

interface Proofs {
  readonly logKey: string;
  readonly witnessKeys: readonly string[];
  readonly proofs: readonly {
    name: string;
    record: string;
    proof: string;
    failed: readonly string[];
    absent: readonly string[];
  }[];
}

/** The parts of a receipt that are checked. */
function receiptOf(proof: string, preimage: Uint8Array): unknown {
  return {
    anchor: {
      proof: { alg: RECEIPT_ALGORITHM, value: toBase64(toUtf8(proof)) },
      parameters: { recordPreimage: toBase64(preimage) },
    },
  };
}

describe("proofs", () => {
  const { logKey, witnessKeys, proofs }: Proofs = JSON.parse(read("proofs"));

  test.each(proofs)("$name", ({ record, proof, failed, absent }) => {
    const trust = { logKey: parseVkey(logKey), witnessKeys: witnessKeys.map(parseVkey) };
    const checks = verifyLogProof(parseRecord(toUtf8(record)), proof, trust);
    const named = (result: string): string[] =>
      checks
        .filter((one) => one.result === result)
        .map(({ name, index }) => (index === null ? name : `${name} ${index}`));
    expect({ failed: named("failed"), absent: named("absent") }).toEqual({ failed, absent });
    for (const { sentence } of checks) expect(sentence).toMatch(/^[A-Za-z].*\.$/);
  });

  test("a receipt shows its manifests alone, and no byte of it can be another", () => {
    const [sound] = proofs;
    if (sound === undefined) throw new Error("There is no proof.");
    const { manifests, verification } = parseRecord(toUtf8(sound.record));
    const [manifest] = manifests ?? [];
    if (verification === null || manifest === undefined) throw new Error("The record has no manifest.");
    const statement = statementOf(verification, manifests ?? []);
    const preimage = recordPreimage(statement, fromPem(verification.leafCertificate));
    const trust = { logKey: parseVkey(logKey) };
    const receipt = parseReceipt(receiptOf(sound.proof, preimage));
    expect(receipt).toMatchObject({ statement, entry: 6 });
    const stored = storedBytes(manifest.form, manifest.type, manifest.payload);
    const results = (one: Receipt, bytes: Uint8Array): string[] =>
      verifyReceipt(one, bytes, trust).map(({ result }) => result);
    expect(results(receipt, stored)).toEqual(["passed", "passed", "passed"]);
    expect(results(receipt, stored.subarray(1))).toEqual(["passed", "passed", "failed"]);
    for (let at = 0; at < preimage.length; at += 1) {
      const other = Uint8Array.from(preimage, (byte, place) => (place === at ? byte ^ 1 : byte));
      let outcome: string | undefined;
      try {
        outcome = results(parseReceipt(receiptOf(sound.proof, other)), stored).at(-1);
      } catch (error) {
        outcome = error instanceof SyntaxError ? "failed" : String(error);
      }
      expect(outcome).toBe("failed");
    }
    for (const none of [
      null,
      {},
      { anchor: {} },
      receiptOf("", preimage),
      receiptOf(sound.proof, preimage.subarray(1)),
    ]) {
      expect(() => parseReceipt(none)).toThrow(SyntaxError);
    }
  });

  test("the Python script comes to the same", () => {
    const program = `
import json, sys
sys.path.insert(0, ${JSON.stringify(fileURLToPath(folder))})
sys.dont_write_bytecode = True
from verify_log_proof import Refused, verify
vectors = json.load(open(${JSON.stringify(fileURLToPath(new URL("log/proofs.json", folder)))}, encoding="utf-8"))
def outcome(one):
    try:
        return verify(json.loads(one["record"]), one["proof"], vectors["logKey"], vectors["witnessKeys"])
    except Refused:
        return None
print(json.dumps([outcome(one) for one in vectors["proofs"]]))`;
    const outcomes: ([number, number, (number | null)[]] | null)[] = JSON.parse(
      execFileSync("python3", ["-c", program], { encoding: "utf8" }),
    );
    expect(outcomes.map((outcome) => outcome !== null)).toEqual(
      proofs.map(({ failed }) => failed.length === 0),
    );
    expect(outcomes[0]).toEqual([6, 11, [Date.parse("2026-11-20T12:00:05Z") / 1000]]);
    expect(outcomes[1]?.[2]).toEqual([null]);
  });
});

test("a witness", () => {
  const {
    logKeys,
    seen,
    requests,
  }: {
    readonly logKeys: readonly string[];
    readonly seen: string;
    readonly requests: readonly { name: string; body: string; status: number }[];
  } = JSON.parse(read("witness"));
  const keys = logKeys.map(parseVkey);
  const { checkpoint } = openCheckpoint(seen, keys[0]!);
  for (const { name, body, status } of requests) {
    const verdict = judgeCheckpoint(body, keys, (origin) =>
      origin === checkpoint.origin ? checkpoint : null,
    );
    const size = status === 409 ? checkpoint.size : undefined;
    expect({ name, size, ...verdict }).toMatchObject({ name, size, status });
  }
});
