import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseVkey, verifierKey, writeVkey } from "@colophon/log";
import { ApiClient } from "@colophon/testing/api-client.ts";
import {
  c2paLibrary,
  newSigner,
  signPicture,
  type SignedPicture,
  type Signer,
} from "@colophon/testing/credentials/content-credentials.ts";
import { paintPicture } from "@colophon/testing/pictures.ts";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHostileCredentials } from "../../../trials/hostile/credentials.ts";
import { Desk } from "./support.ts";

const WIDTH = 240;
const HEIGHT = 160;
const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:ps="http://ns.adobe.com/photoshop/1.0/"
  xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/" xmlns:plus="http://ns.useplus.org/ldf/xmp/1.0/"
  xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:aux="http://ns.adobe.com/exif/1.0/aux/"
  xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
  ps:Credit="Harbour Press / Ada" exif:GPSLatitude="53,32.9N" aux:SerialNumber="12345" aux:OwnerName="Somebody">
<dc:creator><rdf:Seq><rdf:li>Ada &amp; Co</rdf:li><rdf:li>Grace</rdf:li></rdf:Seq></dc:creator>
<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© 2026 Harbour Press</rdf:li><rdf:li xml:lang="de">alle Rechte</rdf:li></rdf:Alt></dc:rights>
<xmpRights:WebStatement rdf:resource="https://press.example/licence"/>
<plus:Licensor><rdf:Seq><rdf:li rdf:parseType="Resource"><plus:LicensorURL>https://press.example/buy</plus:LicensorURL></rdf:li></rdf:Seq></plus:Licensor>
<xmpMM:Ingredients><rdf:Bag><rdf:li><rdf:Description dc:creator="of another picture"/></rdf:li></rdf:Bag></xmpMM:Ingredients>
</rdf:Description></rdf:RDF></x:xmpmeta>`;

const CREDIT = {
  "@context": "https://schema.org",
  "@type": "ImageObject",
  creator: [
    { "@type": "Person", name: "Ada & Co" },
    { "@type": "Person", name: "Grace" },
  ],
  creditText: "Harbour Press / Ada",
  copyrightNotice: "© 2026 Harbour Press",
  license: "https://press.example/licence",
  acquireLicensePage: "https://press.example/buy",
};

let desk: Desk;
let client: ApiClient;
let signer: Signer;
let signed: SignedPicture;

function painted(seed: number): Sharp {
  return sharp(paintPicture(seed, WIDTH, HEIGHT), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
}

async function jpeg(image: Sharp): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await image.jpeg().toBuffer());
}

/** The manifests of the record of the one file that a run registered. */
async function manifestsOf(
  out: string,
): Promise<readonly { type: string; form: string; payload: unknown }[]> {
  const { items } = JSON.parse(out) as { items: { answer: { originalImageHash: string } }[] };
  const { body } = await client.record(items[0]?.answer.originalImageHash ?? "");
  return body.manifests ?? [];
}

beforeAll(async () => {
  desk = await Desk.open({ COLOPHON_C2PA: "public" });
  client = new ApiClient(desk.baseUrl, desk.token);
  signer = newSigner("HarbourPress");
  signed = await signPicture(await jpeg(painted(1)), "image/jpeg", signer);
  await writeFile(join(desk.home, "signed.jpg"), signed.file);
  await writeFile(join(desk.home, "root.pem"), signer.root);
  const credited = (seed: number): Sharp => painted(seed).withXmp(XMP);
  await writeFile(join(desk.home, "credited.jpg"), await jpeg(credited(2)));
  await writeFile(join(desk.home, "credited.webp"), await credited(3).webp().toBuffer());
  await writeFile(join(desk.home, "silent.jpg"), await jpeg(credited(4)));
  const both = await signPicture(await jpeg(credited(5)), "image/jpeg", signer);
  await writeFile(join(desk.home, "both.jpg"), both.file);
});
afterAll(() => desk[Symbol.asyncDispose]());

describe("colophon register", () => {
  it("takes the Content Credentials of a file along, and says so beforehand", async () => {
    const { code, out, err } = await desk.run(["register", "signed.jpg", "--json"]);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(
        /^Registered and published along: the Content Credentials of 1 file\. --credentials none /,
      ),
    ]);
    const payload = Buffer.from(signed.store).toString("base64");
    expect(await manifestsOf(out)).toMatchObject([{ type: "c2pa", form: "jumbf", payload }]);
  });

  it("else takes its credit line, and nothing of places, devices and owners", async () => {
    for (const file of ["credited.jpg", "credited.webp"]) {
      const { err, out } = await desk.run(["register", file, "--json"]);
      expect(err).toContain(
        "the credit line of 1 file (creator, creditText, copyrightNotice, license, acquireLicensePage)",
      );
      const [manifest, ...others] = await manifestsOf(out);
      expect(manifest).toMatchObject({ type: "iptc", form: "json", payload: CREDIT });
      expect(others).toEqual([]);
    }
  });

  it("takes both with --iptc, nothing with --credentials none, and no kind that is given", async () => {
    const none = await desk.run(["register", "silent.jpg", "--credentials", "none", "--json"]);
    expect([none.err.includes("Registered and"), await manifestsOf(none.out)]).toEqual([false, []]);
    await writeFile(join(desk.home, "credit.json"), '{"creator":"given"}');
    const both = await desk.run([
      "register",
      "both.jpg",
      "--iptc",
      "--manifest",
      "iptc=credit.json",
      "--json",
    ]);
    const manifests = await manifestsOf(both.out);
    expect(manifests.map(({ type }) => type)).toEqual(["iptc", "c2pa"]);
    expect(manifests[0]?.payload).toEqual({ creator: "given" });
    const wrong = await desk.run(["register", "both.jpg", "--credentials", "some"]);
    expect([wrong.code, wrong.err]).toEqual([2, "--credentials takes auto or none, not 'some'.\n"]);
  });
});

/** What is left of the signed picture after a crop and a re-encoding. */
async function crop(name: string): Promise<string> {
  const area = { left: 20, top: 10, width: 200, height: 140 };
  await writeFile(join(desk.home, name), await jpeg(sharp(signed.file).extract(area)));
  return name;
}

describe("colophon recover", () => {
  it("finds the Content Credentials of a crop, judges them and writes them", async () => {
    const name = await crop("crop.jpg");
    // The folder is somebody else's.
    await writeFile(join(desk.home, "mine.txt"), "mine");
    await symlink("mine.txt", join(desk.home, `${name}.c2pa`));
    const { code, out } = await desk.run(["recover", name, "--trust-anchors", "root.pem"]);
    expect(await readFile(join(desk.home, `${name}.c2pa`))).toEqual(Buffer.from(signed.store));
    expect(out).toMatch(/Signed by +HarbourPress, Desk/);
    expect(out).toMatch(/Actions +Created by a digital camera/);
    expect(out).toMatch(/Trusted by +root\.pem/);
    expect(out).toContain("not checked against the file");
    expect([code, out]).toEqual([0, expect.stringContaining(`Written to ${name}.c2pa.\n`)]);
    expect(await readFile(join(desk.home, "mine.txt"), "utf8")).toBe("mine");
  });

  it("says why it cannot write them", async () => {
    const name = await crop("taken.jpg");
    await mkdir(join(desk.home, `${name}.c2pa`));
    expect(await desk.run(["recover", name])).toMatchObject({
      code: 2,
      err: "'taken.jpg.c2pa' cannot be written: it is a folder.\n",
    });
  });

  it("checks the log's receipt of what it found", async () => {
    const vkey = (await (await fetch(`${desk.baseUrl}/log/vkey`)).text()).trim();
    const args = ["recover", await crop("logged.jpg"), "--trust-anchors", "root.pem", "--log-key"];
    const { code, out } = await desk.run([...args, vkey]);
    expect(out).toMatch(/passed +logEntry +The record is entry \d+ of the log/);
    expect([code, out]).toEqual([0, expect.stringMatching(/In the log since \d{4}-.*Z\./)]);
    const { name, type } = parseVkey(vkey);
    const other = verifierKey(name, type, new Uint8Array(32).fill(9));
    const wrong = await desk.run([...args, writeVkey(other)]);
    expect([wrong.code, wrong.out]).toEqual([5, expect.stringContaining("does not hold")]);
  });

  it("asks another resolver by its origin or its base, and shows it no token", async () => {
    const asked: { url: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
    const port = (): number => (server.address() as AddressInfo).port;
    const answerTo = (url: string): string | Uint8Array => {
      if (url.startsWith("/.well-known/")) {
        return JSON.stringify({ apiEndpoint: `http://127.0.0.1:${port()}/sbr/v1` });
      }
      const matches = [{ manifestId: "urn:c2pa:a/b", similarityScore: 90, more: 1 }];
      return url === "/sbr/v1/matches/byContent" ? JSON.stringify({ matches }) : signed.store;
    };
    const server = createServer((request, response) => {
      const { url = "", headers } = request;
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        asked.push({ url, headers, body: Buffer.concat(parts) });
        response.end(answerTo(url));
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      for (const below of ["", "/sbr/v1"]) {
        const args = ["recover", await crop("other.jpg"), "--resolver", `http://127.0.0.1:${port()}${below}`];
        const { code, out } = await desk.run([...args, "--json"]);
        expect([code, JSON.parse(out)]).toMatchObject([0, { judgement: { verdict: "unknownSigner" } }]);
      }
    } finally {
      server.close();
    }
    expect(asked.map(({ url }) => url)).toEqual([
      "/.well-known/c2pa-soft-binding-resolution",
      "/sbr/v1/matches/byContent",
      "/sbr/v1/manifests/urn%3Ac2pa%3Aa%2Fb",
      "/sbr/v1/matches/byContent",
      "/sbr/v1/manifests/urn%3Ac2pa%3Aa%2Fb",
    ]);
    expect(asked.every(({ headers }) => headers.authorization === undefined)).toBe(true);
    expect(asked[1]?.headers["content-type"]).toBe("image/jpeg");
    expect(asked[1]?.body).toEqual(await readFile(join(desk.home, "other.jpg")));
  });

  it("writes a store whose receipt is refused, and says that none came", async () => {
    const server = createServer((request, response) => {
      const { url = "" } = request;
      if (url.endsWith("/receipts")) {
        response
          .writeHead(500, { "content-type": "application/json" })
          .end('{"title":"Broken","detail":"Later."}');
      } else if (url.endsWith("/byContent")) {
        response.end(JSON.stringify({ matches: [{ manifestId: "urn:c2pa:a" }] }));
      } else response.end(signed.store);
      request.resume();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const vkey = (await (await fetch(`${desk.baseUrl}/log/vkey`)).text()).trim();
      const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const name = await crop("refused.jpg");
      const { code, out } = await desk.run(["recover", name, "--resolver", api, "--log-key", vkey]);
      expect([code, out]).toEqual([5, expect.stringContaining("No receipt came: 500 Broken: Later.")]);
      expect(await readFile(join(desk.home, `${name}.c2pa`))).toEqual(Buffer.from(signed.store));
    } finally {
      server.close();
    }
  });

  it("says when nothing is known, or nobody answers", async () => {
    await writeFile(join(desk.home, "unknown.jpg"), await jpeg(painted(99)));
    const none = await desk.run(["recover", "unknown.jpg"]);
    expect([none.code, none.out]).toEqual([5, "No Content Credentials are known of this picture.\n"]);
    const nobody = await desk.run(["recover", "unknown.jpg", "--resolver", "http://127.0.0.1:9"]);
    expect([nobody.code, nobody.err]).toEqual([4, "http://127.0.0.1:9 does not answer.\n"]);
  });
});

/** What the C2PA project's library says of a file when it may fetch what the file names. */
async function readRemotely(
  file: Uint8Array,
): Promise<{ validation_state: string; active_manifest: string }> {
  const { WasmReader } = c2paLibrary();
  const settings = { verify: { remote_manifest_fetch: true, ocsp_fetch: false } };
  using reader = await WasmReader.fromBytes("image/jpeg", file, JSON.stringify(settings));
  return JSON.parse(reader.json());
}

it("a store has an address that the C2PA project's library fetches by itself, until the take-down", async () => {
  const label = `urn:c2pa:${randomUUID()}`;
  const url = `${desk.baseUrl}/c2pa/v1/manifests/${encodeURIComponent(label)}`;
  const remote = await signPicture(await jpeg(painted(6)), "image/jpeg", signer, { remote: { url, label } });
  await writeFile(join(desk.home, "remote.jpg"), remote.file);
  await writeFile(join(desk.home, "remote.c2pa"), remote.store);
  const args = ["register", "remote.jpg", "--manifest", "c2pa=remote.c2pa", "--json"];
  const { items } = JSON.parse((await desk.run(args)).out);
  expect(await readRemotely(remote.file)).toMatchObject({
    active_manifest: label,
    validation_state: "Valid",
  });
  expect((await desk.run(["takedown", items[0].answer.registrationId])).code).toBe(0);
  await expect(readRemotely(remote.file)).rejects.toThrow(/RemoteManifest/);
});

describe("colophon verify", () => {
  it("validates Content Credentials, with their file and without", async () => {
    await writeFile(join(desk.home, "signed.c2pa"), signed.store);
    const alone = await desk.run(["verify", "signed.c2pa", "--json"]);
    expect([alone.code, JSON.parse(alone.out)]).toMatchObject([
      5,
      {
        generator: "Colophon tests 1",
        title: "harbour.jpg",
        signer: "HarbourPress, Desk",
        actions: [{ code: "c2pa.created", sentence: "Created by a digital camera" }],
        isFileChecked: false,
        findings: [],
        verdict: "unknownSigner",
      },
    ]);
    await writeFile(join(desk.home, "other-root.pem"), newSigner("Another").root);
    const lists = ["--trust-anchors", "other-root.pem", "--trust-anchors", "root.pem"];
    const args = ["verify", "signed.c2pa", "--original", "signed.jpg", ...lists, "--json"];
    const { code, out } = await desk.run(args);
    const verdict = { verdict: "trusted", trustedBy: ["root.pem"], isFileChecked: true };
    expect([code, JSON.parse(out)]).toMatchObject([0, verdict]);
  });

  it("tells what was changed, in words", async () => {
    const changed = Buffer.from(signed.store);
    changed.write("c2pa.edited_", changed.indexOf("c2pa.created"));
    await writeFile(join(desk.home, "changed.c2pa"), changed);
    const { code, out } = await desk.run(["verify", "changed.c2pa", "--trust-anchors", "root.pem"]);
    expect(out).toMatch(/assertion\.hashedURI\.mismatch +A statement was changed after it was signed\./);
    expect([code, out.trim().split("\n").at(-1)]).toEqual([5, "The Content Credentials do not hold."]);
    const picture = Buffer.from(signed.file);
    picture[picture.length - 20] = (picture[picture.length - 20] ?? 0) ^ 1;
    await writeFile(join(desk.home, "changed.jpg"), picture);
    const other = await desk.run(["verify", "signed.c2pa", "--original", "changed.jpg"]);
    expect(other.out).toContain("The picture is not the one that was signed.");
    await writeFile(join(desk.home, "short.c2pa"), changed.subarray(0, 3000));
    expect((await desk.run(["verify", "short.c2pa"])).code).not.toBe(0);
  });

  it("validates those among the manifests of a record too", async () => {
    const { code, out, err } = await desk.run(["verify", "signed.jpg", "--json"]);
    expect([code, err]).toEqual([5, ""]);
    const credentials = [{ verdict: "unknownSigner", isFileChecked: true }];
    expect(JSON.parse(out)).toMatchObject({ verdict: "unanchored", credentials });
  });
});

it("mutated files are read or refused by every reader", async () => {
  const { breaches } = await runHostileCredentials({ files: 200, seed: 3 });
  expect(breaches).toEqual([]);
});
