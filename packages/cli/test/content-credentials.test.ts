import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ApiClient } from "@colophon/testing/api-client.ts";
import {
  newSigner,
  signPicture,
  type SignedPicture,
  type Signer,
} from "@colophon/testing/content-credentials.ts";
import { paintPicture } from "@colophon/testing/pictures.ts";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  desk = await Desk.open();
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
