import { readFile } from "node:fs/promises";
import {
  c2paLibrary,
  newSigner,
  signPicture,
  type SignedPicture,
} from "@colophon/testing/credentials/content-credentials.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { judgeStore } from "../src/index.ts";

const library = c2paLibrary();
const signer = newSigner("HarbourPress");
let photo: Uint8Array<ArrayBuffer>;
let thumbnail: Uint8Array<ArrayBuffer>;
let taken: SignedPicture;

async function painted(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await paintedPicture(1, width, height));
}

beforeAll(async () => {
  photo = await painted(72, 48);
  thumbnail = await painted(24, 16);
  taken = await signPicture(photo, "image/jpeg", signer);
});

describe("a store that names what its picture was made from", () => {
  it("gives its ingredients and its thumbnail", async () => {
    const { store, file } = await signPicture(photo, "image/jpeg", signer, {
      ingredient: taken.file,
      thumbnail,
    });
    const judgement = await judgeStore(library, { store, file, lists: [{ name: "own", pem: signer.root }] });
    const ingredient = {
      title: "taken.jpg",
      relationship: "componentOf",
      hasCredentials: true,
      thumbnail: null,
      findings: [],
    };
    expect(judgement).toMatchObject({ ingredients: [ingredient], verdict: "trusted", trustedBy: ["own"] });
    expect(judgement?.thumbnail).toEqual({ type: "image/jpeg", bytes: thumbnail });
  });

  it("does not hold when what an ingredient states was changed since", async () => {
    const { store } = await signPicture(photo, "image/jpeg", signer, { ingredient: taken.file });
    const changed = Buffer.from(store);
    // The first manifest of the store is the ingredient's.
    changed.write("c2pa.edited_", changed.indexOf("c2pa.created"));
    const judgement = await judgeStore(library, { store: changed, file: null, lists: [] });
    expect(judgement).toMatchObject({ findings: [], verdict: "broken" });
    expect(judgement?.ingredients[0]?.findings.map(({ code }) => code)).not.toEqual([]);
    expect(judgement?.ingredients[0]?.findings.every(({ sentence }) => sentence !== "")).toBe(true);
  });
});

const old: Record<"signerRoot" | "authorityRoot" | "store", string> = JSON.parse(
  await readFile(new URL("support/signed-in-2020.json", import.meta.url), "utf8"),
);

/**
 * Signed in May 2020, by a certificate that expired that month; a time-stamping authority of another root, good until
 * 2044, saw it.
 */
describe("a store whose signer's certificate has expired", () => {
  const store = Buffer.from(old.store, "base64");
  const desks = { name: "desks", pem: old.signerRoot };
  const clocks = { name: "clocks", pem: old.authorityRoot };
  const both = { name: "both", pem: old.signerRoot + old.authorityRoot };
  const expired = { signedAt: null, verdict: "broken", trustedBy: [] };
  const held = { signedAt: "2020-05-02T10:00:00+00:00", verdict: "trusted", findings: [] };

  it.each([
    ["of nobody", [], expired],
    ["of the signer alone", [desks], expired],
    ["of another signer", [{ name: "other", pem: signer.root }, clocks], { verdict: "unknownSigner" }],
    ["of both", [both], { ...held, trustedBy: ["both"] }],
    ["of the one and of the other", [desks, clocks], { ...held, trustedBy: ["desks"] }],
    [
      "and one that cannot be read",
      [{ name: "none", pem: "x" }, clocks, desks],
      { ...held, trustedBy: ["desks"] },
    ],
  ])("holds at the time that an authority on a list states: a list %s", async (_, lists, expected) => {
    expect(await judgeStore(library, { store, file: null, lists })).toMatchObject(expected);
  });
});

it("reads a compressed manifest, within its bound", async () => {
  const { store, file } = await signPicture(photo, "image/jpeg", signer, { isCompressed: true });
  expect(Buffer.from(store).includes("brob")).toBe(true);
  const judgement = await judgeStore(library, { store, file, lists: [] });
  expect(judgement).toMatchObject({
    actions: [{ code: "c2pa.created", sentence: "Created by a digital camera" }],
    isFileChecked: true,
    verdict: "unknownSigner",
  });
});

it("takes for actions what reads as such, whatever else an assertion says", async () => {
  const actions = [
    null,
    5,
    { action: 7 },
    { action: "constructor" },
    { action: "org.own", digitalSourceType: "x/toString" },
    { action: "c2pa.edited", digitalSourceType: 9 },
  ];
  const assertions = [
    { label: "org.odd", data: { actions } },
    { label: "org.odder", data: { actions: "all" } },
  ];
  const { store, file } = await signPicture(photo, "image/jpeg", signer, { assertions });
  const judgement = await judgeStore(library, { store, file, lists: [] });
  expect(structuredClone(judgement)?.actions.slice(1)).toEqual([
    { code: "constructor", sentence: "constructor" },
    { code: "org.own", sentence: "org.own" },
    { code: "c2pa.edited", sentence: "Edited" },
  ]);
});

it("knows no store in other bytes", async () => {
  expect(await judgeStore(library, { store: photo, file: photo, lists: [] })).toBeNull();
});
