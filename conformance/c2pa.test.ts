import { type UnsignedManifest, unsignedStore } from "@colophon/testing/credentials/c2pa-store.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, jsonOf } from "./support/answer.ts";
import { Caller, newAccount, type PostedManifest } from "./support/caller.ts";
import { type Deployment, deploymentUnderTest } from "./support/deployment.ts";
import { blake3Hex, croppedCopy, freshPicture, freshScene } from "./support/pictures.ts";
import { MALFORMED, problem, refusalIn } from "./support/problem.ts";
import { filePart, MULTIPART_TYPE, multipartBody } from "./support/raw.ts";

interface Matches {
  readonly matches: readonly { readonly manifestId: string; readonly endpoint: string }[];
}

const MANIFEST_NOT_FOUND = {
  status: 404,
  title: "Manifest not found",
  condition: "manifest-not-found",
  detail: "No live record carries a manifest store with this label.",
};
const NONE = { matches: [] };
const API = "/c2pa/v1";

let deployment: Deployment;
let owner: Caller;
let anyone: Caller;
let photo: Uint8Array<ArrayBuffer>;
let registered: { readonly id: string; readonly originalImageHash: string };
/** Labels and values of this run: other runs may be against the same deployment. */
const run = crypto.randomUUID();
const label = (name: string): string => `urn:c2pa:${run}:${name}/a b`;
const value = (name: string): Uint8Array => new TextEncoder().encode(`${run} ${name}`);

function storeOf(
  name: string,
  ...softBindings: NonNullable<UnsignedManifest["softBindings"]>
): PostedManifest {
  const manifests = [{ label: label("ingredient") }, { label: label(name), softBindings }];
  return { name: "manifest[c2pa]", type: "application/c2pa", body: unsignedStore(manifests) };
}

const BINDINGS = [
  { alg: "com.example.mark.1", values: [value("one"), value("two")] },
  { alg: "com.example.mark.2", values: [value("three")] },
];
const ownStore = storeOf("photo", ...BINDINGS);

beforeAll(async () => {
  deployment = await deploymentUnderTest();
  owner = (await newAccount(deployment)).caller;
  anyone = (await newAccount(deployment)).caller;
  photo = await freshScene();
  const json = { name: "manifest[credit]", type: "application/json", body: "{}" };
  registered = jsonOf(await owner.register(photo, [json, ownStore, storeOf("second")]));
});
afterAll(() => deployment[Symbol.asyncDispose]());

/** The endpoint of a record's matches, whatever public address the deployment names. */
async function endpointOf(originalImageHash: string): Promise<string> {
  const { apiEndpoint } = jsonOf<{ apiEndpoint: string }>(
    await anyone.get("/.well-known/c2pa-soft-binding-resolution"),
  );
  return `${apiEndpoint}/records/${originalImageHash}`;
}

function byContent(image: Uint8Array<ArrayBuffer>, query = "", type = "image/jpeg"): Promise<Answer> {
  const headers = { "content-type": type };
  return anyone.send("POST", `${API}/matches/byContent${query}`, { body: image, headers });
}

function byBinding(alg: string, bytes: Uint8Array, more = ""): Promise<Answer> {
  const sent = encodeURIComponent(Buffer.from(bytes).toString("base64"));
  return anyone.get(`${API}/matches/byBinding?alg=${alg}&value=${sent}${more}`);
}

async function labelsBy(answer: Promise<Answer>): Promise<readonly string[]> {
  return jsonOf<Matches>(await answer).matches.map(({ manifestId }) => manifestId);
}

describe("what the service says of itself", () => {
  test("takes no token, and the addresses it names answer", async () => {
    const stranger = new Caller(deployment.baseUrl, null);
    const found = await stranger.get("/.well-known/c2pa-soft-binding-resolution");
    const discovery = jsonOf<Record<string, string>>(found);
    expect(Object.keys(discovery)).toEqual([
      "apiEndpoint",
      "c2paSpecificationVersion",
      "capabilitiesEndpoint",
      "statusEndpoint",
    ]);
    expect(discovery["apiEndpoint"]).toMatch(/\/c2pa\/v1$/);
    expect(jsonOf(await stranger.get(`${API}/services/capabilities`))).toEqual({
      c2paSpecificationVersion: discovery["c2paSpecificationVersion"],
      supportedCapabilities: ["queryByContent"],
    });
    expect(jsonOf(await stranger.get(`${API}/services/status`))).toMatchObject({ status: "ok" });
    const { watermarks, fingerprints } = jsonOf<Record<string, { alg: string }[]>>(
      await stranger.get(`${API}/services/supportedAlgorithms`),
    );
    expect(watermarks).toContainEqual({ alg: "com.adobe.trustmark.P" });
    expect(fingerprints).toEqual([{ alg: expect.stringMatching(/\.original\.1$/) }]);
    const document = jsonOf<{ paths: object }>(await stranger.get(`${API}/openapi.json`));
    expect(Object.keys(document.paths)).toContain("/c2pa/v1/matches/byContent");
  });

  test("queries and manifests take one", async () => {
    const stranger = new Caller(deployment.baseUrl, null);
    for (const path of [`matches/byBinding?alg=a&value=YQ`, "manifests/a", "records/a/manifests/a"]) {
      expect((await stranger.get(`${API}/${path}`)).status).toBe(401);
    }
    expect((await stranger.send("POST", `${API}/matches/byContent`)).status).toBe(401);
  });
});

describe("by content", () => {
  test("a crop leads to the stores of its original, in their order, for one look-up", async () => {
    const before = jsonOf<{ lookups: { consumed: number } }>(await anyone.get("/account/stats"));
    const crop = await croppedCopy(photo);
    const endpoint = await endpointOf(registered.originalImageHash);
    const expected = ["photo", "second"].map((name) => ({ manifestId: label(name), endpoint }));
    expect(jsonOf(await byContent(crop))).toEqual({ matches: expected });
    const form = new FormData();
    form.append("file", new Blob([crop], { type: "image/jpeg" }), "crop.jpg");
    const path = `${API}/matches/byContent?maxResults=1&alg=a&hintAlg=b&hintValue=c`;
    const multipart = await anyone.send("POST", path, { body: form });
    expect(jsonOf(multipart)).toEqual({ matches: expected.slice(0, 1) });
    expect(jsonOf(await anyone.get("/account/stats"))).toMatchObject({
      lookups: { consumed: before.lookups.consumed + 2 },
    });
  });

  test("an original without a store gives nothing, and so does an unknown picture", async () => {
    const picture = await freshPicture();
    const notWhole = { name: "manifest[c2pa]", type: "application/c2pa", body: cutShort(ownStore) };
    const hash = jsonOf<{ originalImageHash: string }>(await owner.register(picture, [notWhole]));
    expect(hash.originalImageHash).toMatch(/^[0-9a-f]{64}$/);
    expect(jsonOf(await byContent(picture))).toEqual(NONE);
    expect(jsonOf(await byContent(await freshPicture()))).toEqual(NONE);
  });

  test("is refused as a look-up is", async () => {
    const part = filePart("file", "image/jpeg", photo);
    const titles = [
      await byContent(photo, "", "image/gif"),
      await byContent(photo, "", "application/octet-stream"),
      await byContent(new Uint8Array(20)),
      await byContent(photo, "?maxResults=0"),
      await byContent(photo, "?maxResults=101"),
      await byContent(photo, "?other=1"),
      await byContent(multipartBody([part, part]), "", MULTIPART_TYPE),
    ].map(({ text }) => JSON.parse(text).title);
    expect(titles).toEqual([
      "Unsupported image content type",
      "Unsupported image content type",
      "Image could not be checked",
      ...Array.from({ length: 4 }, () => "Malformed request"),
    ]);
  });
});

function cutShort({ body }: PostedManifest): Uint8Array<ArrayBuffer> {
  const whole = Uint8Array.from(Buffer.from(body as Uint8Array));
  // Still a superbox, but one with a byte that belongs to no box.
  const longer = new Uint8Array(whole.length + 1);
  longer.set(whole);
  return longer;
}

describe("by binding", () => {
  test("every value of the active manifest is found, and none of an ingredient or another algorithm", async () => {
    for (const { alg, values } of BINDINGS) {
      for (const bytes of values) expect(await labelsBy(byBinding(alg, bytes))).toEqual([label("photo")]);
    }
    expect(await labelsBy(byBinding("com.example.mark.2", value("one")))).toEqual([]);
    expect(await labelsBy(byBinding("com.example.mark.1", value("unknown")))).toEqual([]);
  });

  test("base64 may be URL-safe, and have its padding or not; a long value goes in a body", async () => {
    const bytes = Uint8Array.from([...value("?"), 0xfb, 0xff, 0xfe, 0x3e]);
    await owner.register(await freshPicture(), [
      storeOf("spelled", { alg: "com.example.mark.1", values: [bytes] }),
    ]);
    const base64 = Buffer.from(bytes).toString("base64");
    const spellings = [base64, base64.replaceAll("=", ""), Buffer.from(bytes).toString("base64url")];
    for (const spelling of spellings) {
      const query = `alg=com.example.mark.1&value=${encodeURIComponent(spelling)}`;
      expect(await labelsBy(anyone.get(`${API}/matches/byBinding?${query}`))).toEqual([label("spelled")]);
      const body = { alg: "com.example.mark.1", value: spelling };
      expect(await labelsBy(anyone.json("POST", `${API}/matches/byBinding`, body))).toEqual([
        label("spelled"),
      ]);
    }
  });

  test("a value that stands as a text, of an algorithm that the claim names, is found too", async () => {
    const picture = await freshPicture();
    const softBindings = [{ values: [`${run} text`] }];
    const body = unsignedStore([{ label: label("text"), softBindings, softAlg: "com.example.mark.3" }]);
    await owner.register(picture, [{ ...ownStore, body }]);
    expect(await labelsBy(byBinding("com.example.mark.3", value("text")))).toEqual([label("text")]);
    expect(await labelsBy(byContent(picture))).toEqual([label("text")]);
  });

  test("the deployment's own fingerprint is the hash of an original", async () => {
    const { fingerprints } = jsonOf<{ fingerprints: { alg: string }[] }>(
      await anyone.get(`${API}/services/supportedAlgorithms`),
    );
    const alg = fingerprints[0]?.alg ?? "";
    const hash = Buffer.from(registered.originalImageHash, "hex");
    expect(await labelsBy(byBinding(alg, hash))).toEqual([label("photo"), label("second")]);
    expect(await labelsBy(byBinding(alg, hash, "&maxResults=1"))).toEqual([label("photo")]);
    expect(await labelsBy(byBinding(alg, hash.subarray(1)))).toEqual([]);

    const picture = await freshPicture();
    const own = Buffer.from(blake3Hex(picture), "hex");
    await owner.register(picture, [storeOf("own hash", { alg, values: [own] })]);
    expect(await labelsBy(byBinding(alg, own))).toEqual([label("own hash")]);
  });

  test("costs nothing, and what is no binding is refused", async () => {
    const before = jsonOf(await anyone.get("/account/stats"));
    for (const query of [
      "alg=a",
      "value=YQ",
      "alg=&value=YQ",
      "alg=a&value=",
      "alg=a&value=%20",
      "alg=a&value=%3D%3D",
      "alg=a&value=Y",
      "alg=a&value=YWFhY",
      "alg=a&alg=b",
    ]) {
      expect(refusalIn(await anyone.get(`${API}/matches/byBinding?${query}`))).toEqual(problem(MALFORMED));
    }
    for (const body of [{}, { alg: 1, value: "YQ" }, { alg: "a", value: "!" }, []]) {
      const answer = await anyone.json("POST", `${API}/matches/byBinding`, body);
      expect(refusalIn(answer)).toEqual(problem(MALFORMED));
    }
    expect((await byBinding("a", new Uint8Array(1600))).status).toBe(414);
    const long = { alg: "a", value: "A".repeat(65_536) };
    expect((await anyone.json("POST", `${API}/matches/byBinding`, long)).status).toBe(413);
    expect(jsonOf(await anyone.get("/account/stats"))).toMatchObject({
      lookups: (before as { lookups: object }).lookups,
    });
  });
});

function fetchStore(below: string, name: string): Promise<Response> {
  return fetch(`${deployment.baseUrl}${API}${below}/manifests/${encodeURIComponent(label(name))}`, {
    headers: anyone.authentication,
  });
}

async function bytesOf(response: Response): Promise<string> {
  return Buffer.from(await response.arrayBuffer()).toString("hex");
}

function hex({ body }: PostedManifest): string {
  return Buffer.from(body as Uint8Array).toString("hex");
}

describe("a manifest store", () => {
  test("comes back byte for byte, of its record or of the earliest, until the take-down", async () => {
    const store = storeOf("twice", { alg: "com.example.mark.1", values: [value("twice")] });
    const longer = { ...store, body: unsignedStore([{ label: label("twice") }], 10) };
    const [first, second] = [
      jsonOf<typeof registered>(await owner.register(await freshPicture(), [store])),
      jsonOf<typeof registered>(await owner.register(await freshPicture(), [longer])),
    ];
    const plain = await fetchStore("", "twice");
    expect([plain.status, plain.headers.get("content-type"), plain.headers.get("cache-control")]).toEqual([
      200,
      "application/c2pa",
      "no-store",
    ]);
    expect(await bytesOf(plain)).toBe(hex(store));
    expect(await bytesOf(await fetchStore(`/records/${second.originalImageHash}`, "twice"))).toBe(
      hex(longer),
    );
    expect((await fetchStore(`/records/${second.originalImageHash}`, "photo")).status).toBe(404);

    expect((await owner.delete(`/registrations/${first.id}`)).status).toBe(204);
    expect(await bytesOf(await fetchStore("", "twice"))).toBe(hex(longer));
    expect((await fetchStore(`/records/${first.originalImageHash}`, "twice")).status).toBe(404);
    expect(await labelsBy(byBinding("com.example.mark.1", value("twice")))).toEqual([]);
    expect((await owner.delete(`/registrations/${second.id}`)).status).toBe(204);
    expect((await fetchStore("", "twice")).status).toBe(404);
  });

  test("of any size up to 4 MiB is found and comes back whole", async () => {
    for (const size of [65_536, 1_048_577, 4_194_304]) {
      const name = `of ${size} bytes`;
      const least = unsignedStore([{ label: label(name) }], 1).length - 1;
      const body = unsignedStore([{ label: label(name) }], size - least);
      expect(body).toHaveLength(size);
      const picture = await freshPicture();
      const registration = await owner.register(picture, [{ ...ownStore, body }]);
      expect(registration.status).toBe(200);
      expect(await labelsBy(byContent(picture))).toEqual([label(name)]);
      expect(await bytesOf(await fetchStore("", name))).toBe(hex({ ...ownStore, body }));
    }
  });

  test("has a receipt of the log, of its record or of the earliest, until the take-down", async () => {
    const store = storeOf("receipted");
    const { id, originalImageHash } = jsonOf<typeof registered>(
      await owner.register(await freshPicture(), [store]),
    );
    const below = `records/${originalImageHash}/manifests/${encodeURIComponent(label("receipted"))}/receipts`;
    const plain = `manifests/${encodeURIComponent(label("receipted"))}/receipts`;
    await expect.poll(async () => (await anyone.get(`${API}/${below}`)).status).toBe(200);
    const receipt = jsonOf(await anyone.get(`${API}/${below}`));
    const text = (await anyone.get(`/log/proofs/${originalImageHash}`)).text;
    expect(receipt).toMatchObject({
      "@type": "org.c2pa.manifest-receipt",
      repository: { uri: await endpointOf(originalImageHash), manifestId: label("receipted") },
      anchor: { proof: { alg: "c2sp.org/tlog-proof@v1" } },
    });
    const { anchor } = receipt as { anchor: { proof: { value: string } } };
    const proof = Buffer.from(anchor.proof.value, "base64").toString();
    expect(proof.split("\n").slice(0, 3)).toEqual(text.split("\n").slice(0, 3));
    expect((await anyone.get(`${API}/${plain}`)).status).toBe(200);
    expect((await anyone.get(`${API}/${plain}?a=b`)).status).toBe(400);
    expect((await owner.delete(`/registrations/${id}`)).status).toBe(204);
    for (const path of [plain, below]) expect((await anyone.get(`${API}/${path}`)).status).toBe(404);
    expect((await anyone.get(`${API}/records/nohash/manifests/a/receipts`)).status).toBe(400);
  });

  test("is fetched by the longest label that is indexed", async () => {
    const name = "\u6f22".repeat(512 - label("").length);
    await owner.register(await freshPicture(), [storeOf(name)]);
    expect((await fetchStore("", name)).status).toBe(200);
    await owner.register(await freshPicture(), [storeOf(`${name}\u6f22`)]);
    expect((await fetchStore("", `${name}\u6f22`)).status).toBe(404);
  });

  test("that nobody registered is refused, whatever its label", async () => {
    for (const name of ["urn:c2pa:none", "%00", "urn:c2pa:%00", "%EF%BF%BF", "%F0%9F%92%A9"]) {
      for (const path of [`manifests/${name}`, `records/${"0".repeat(64)}/manifests/${name}`]) {
        for (const address of [path, `${path}/receipts`]) {
          expect(refusalIn(await anyone.get(`${API}/${address}`))).toEqual(problem(MANIFEST_NOT_FOUND));
        }
      }
    }
    expect((await anyone.get(`${API}/manifests/urn:c2pa:none?returnActiveManifest=true`)).status).toBe(404);
    expect((await anyone.get(`${API}/manifests/a?b=c`)).status).toBe(400);
    expect((await anyone.get(`${API}/records/nohash/manifests/a`)).status).toBe(400);
  });
});
