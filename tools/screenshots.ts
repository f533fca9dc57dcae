/**
 * Writes the pictures of the console that the pages under docs/ show: a real browser at a real service.
 *
 *     node tools/screenshots.ts [NAME...]
 *
 * Letters look as in the other pictures with Debian's packages fonts-urw-base35, fonts-noto-core and fonts-noto-mono.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { ColophonClient, OperatorClient } from "@colophon/client";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { pageWith, screenshotOf } from "@colophon/testing/reposts.ts";
import type { BrowserContextOptions } from "playwright-core";
import sharp from "sharp";
import { buildConsole } from "../packages/console/build.ts";
import { ConsoleUnderTest } from "../packages/console/test/support/console-under-test.ts";
import { c2paStore } from "../packages/console/test/support/containers.ts";
import { freshPictures, type GivenFile } from "../packages/console/test/support/pictures.ts";
import { openLedger, signInAsOperator } from "../packages/console/test/support/operator.ts";
import type { Visitor } from "../packages/console/test/support/visitor.ts";

const OUT = fileURLToPath(new URL("../docs/images/", import.meta.url));
const SAMPLES = new URL("../packages/server/samples/", import.meta.url);
/** Pages are read on slow lines too. */
const MOST_BYTES = 250_000;
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 };
const FIELDS = { Creator: "Ada Quist", "Credit line": "Ada Quist / Harbour Press", Licence: "CC BY 4.0" };

/** One picture: what is done before it is taken, and which part of the page it shows. */
interface Scene {
  readonly name: string;
  /** Who is signed in; an account unless told otherwise. */
  readonly role?: "operator";
  readonly options?: BrowserContextOptions;
  readonly prepare: (visitor: Visitor, service: ConsoleUnderTest) => Promise<void>;
  /** An element to show rather than the window. */
  readonly part?: string;
}

function jpeg(name: string, buffer: Buffer): GivenFile {
  return { name, mimeType: "image/jpeg", buffer };
}

async function sample(file: string, name: string): Promise<GivenFile> {
  return jpeg(name, await readFile(new URL(file, SAMPLES)));
}

const harbour = await sample("harbour.jpg", "harbour.jpg");
const repost = await sample("harbour-crop.jpg", "repost.jpg");
const lighthouse = await sample("lighthouse.jpg", "lighthouse.jpg");

/** The picture reposted: cropped, in grey, with lettering over it. */
async function posterOf({ buffer }: GivenFile): Promise<GivenFile> {
  const lettering = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="560"><rect y="400" width="800" height="90" fill="#c4331f"/><text x="400" y="463" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="54" fill="#fff">LAST FERRY 21:40</text></svg>`;
  const cropped = await sharp(buffer)
    .extract({ left: 200, top: 20, width: 800, height: 560 })
    .greyscale()
    .toBuffer();
  const poster = sharp(cropped).composite([{ input: Buffer.from(lettering) }]);
  return jpeg("poster.jpg", await poster.jpeg({ quality: 55 }).toBuffer());
}

/** Registers the two samples. */
async function registerSamples(visitor: Visitor): Promise<void> {
  for (const picture of [lighthouse, harbour]) {
    await visitor.goTo("Look up");
    await visitor.goTo("Register");
    await visitor.choose("Choose a file", picture);
    await visitor.press("Register");
    await visitor.heading("Registered").waitFor();
  }
}

/** Looks a picture up, once the samples are registered, and waits for as many outlines. */
async function showMatches(visitor: Visitor, picture: GivenFile, heading: string): Promise<void> {
  await registerSamples(visitor);
  await visitor.lookUp(picture);
  await visitor.heading(heading).waitFor();
  await visitor.page.locator(".outlined img").waitFor();
}

async function fillRegistration(visitor: Visitor): Promise<void> {
  await visitor.goTo("Register");
  await visitor.choose("Choose a file", harbour);
  await visitor.choose("Add manifest files", c2paStore("c2pa.manifest-store.c2pa"));
  for (const [label, text] of Object.entries(FIELDS)) {
    await visitor.page.getByLabel(label, { exact: true }).fill(text);
  }
}

async function readRecord(visitor: Visitor): Promise<void> {
  await fillRegistration(visitor);
  await visitor.press("Register");
  await visitor.heading("Registered").waitFor();
  await visitor.readRecordOf(repost);
}

async function workThrough(
  visitor: Visitor,
  task: string,
  count: number,
  ...more: GivenFile[]
): Promise<void> {
  await visitor.goTo("Batch");
  await visitor.choose("Choose files", ...(await freshPictures(count)), ...more);
  await visitor.page.getByLabel(task).check();
  await visitor.page.getByRole("button", { name: /^(Register|Look) all/ }).click();
  await visitor.button("New batch").waitFor();
}

/** An account on which some pictures were registered and looked up; answers its id. */
async function busyAccount(service: ConsoleUnderTest): Promise<string> {
  const { baseUrl, adminToken } = service;
  const operator = new OperatorClient({ baseUrl, token: adminToken });
  const settings = { name: "Harbour Press", registrations: 1000, lookups: 5000 };
  const { accountId } = await operator.createAccount(settings);
  const { token } = await operator.mintToken(accountId, { label: "newsroom" });
  const client = new ColophonClient({ baseUrl, token });
  for (const { name, mimeType, buffer } of await freshPictures(4)) {
    const photo = new File([Uint8Array.from(buffer)], name, { type: mimeType });
    await client.register(photo);
    await client.lookUp(photo);
  }
  return accountId;
}

const SCENES: readonly Scene[] = [
  { name: "console-register", prepare: fillRegistration, part: "main" },
  { name: "console-record", prepare: readRecord, part: ".record" },
  {
    name: "console-look-up",
    options: { viewport: { width: 1180, height: 820 } },
    prepare: async (visitor) =>
      showMatches(
        visitor,
        jpeg("page.jpg", await pageWith(harbour.buffer, lighthouse.buffer)),
        "Two originals found",
      ),
  },
  {
    name: "match-screenshot",
    part: ".found",
    prepare: async (visitor) =>
      showMatches(visitor, jpeg("screenshot.jpg", await screenshotOf(harbour.buffer)), "One original found"),
  },
  {
    name: "match-poster",
    part: ".found",
    prepare: async (visitor) => showMatches(visitor, await posterOf(lighthouse), "One original found"),
  },
  {
    name: "match-page",
    part: ".found",
    prepare: async (visitor) =>
      showMatches(
        visitor,
        jpeg("page.jpg", await pageWith(lighthouse.buffer, harbour.buffer)),
        "Two originals found",
      ),
  },
  {
    name: "console-dark",
    options: { colorScheme: "dark" },
    prepare: async (visitor) => {
      await readRecord(visitor);
      await visitor.page.locator(".record").evaluate((record) => record.scrollIntoView());
    },
  },
  {
    name: "console-batch",
    prepare: async (visitor) => {
      await registerSamples(visitor);
      await workThrough(visitor, "Register it, with the same manifests for all", 7, repost);
    },
  },
  {
    name: "console-account",
    prepare: async (visitor) => {
      await workThrough(visitor, "Register it, with the same manifests for all", 9);
      await visitor.press("New batch");
      await workThrough(visitor, "Find out where it comes from", 14);
      await visitor.press("New batch");
      await visitor.choose("Choose files", ...(await freshPictures(24)));
      await visitor.press("Look all up");
      await visitor.page.locator(".batch-table [data-state=held]").first().waitFor();
      await visitor.press("Stop");
      await visitor.button("Go on").waitFor();
      await visitor.goTo("Account");
      await visitor.page.locator(".usage").nth(1).waitFor();
    },
  },
  {
    name: "console-phone",
    options: PHONE,
    prepare: async (visitor) => {
      await readRecord(visitor);
      await visitor.page.locator(".record").evaluate((record) => record.scrollIntoView());
    },
  },
  {
    name: "console-operator",
    role: "operator",
    prepare: async (visitor, service) => {
      const accountId = await busyAccount(service);
      await visitor.page.goto(`${service.baseUrl}/console/#/accounts/${accountId}`);
      await visitor.button("Revoke newsroom").waitFor();
    },
  },
  {
    name: "console-custody",
    role: "operator",
    options: { viewport: { width: 1180, height: 1250 } },
    prepare: async (visitor, service) => {
      await openLedger(visitor, "Custody", await busyAccount(service));
      await visitor.heading("The chain holds").waitFor();
    },
  },
];

/** The picture in few enough colours that a page carries it. @throws Error when it stays too long */
async function compact(name: string, png: Buffer): Promise<Buffer> {
  const small = await sharp(png).png({ palette: true, quality: 90, effort: 10 }).toBuffer();
  if (small.length > MOST_BYTES) {
    throw new Error(`${name} has ${small.length} bytes, more than ${MOST_BYTES}.`);
  }
  return small;
}

async function enter(service: ConsoleUnderTest, { role, options }: Scene): Promise<Visitor> {
  if (role === undefined) return service.openSigned({ registrations: 40, lookups: 60 }, options);
  const visitor = await service.open(options);
  await signInAsOperator(visitor, service.adminToken);
  return visitor;
}

/** Takes a picture at a registry of its own: what another scene registers would show in it. */
async function take(scene: Scene): Promise<void> {
  const { name, prepare, part } = scene;
  await using service = await ConsoleUnderTest.start();
  const visitor = await enter(service, scene);
  await prepare(visitor, service);
  const shown = part === undefined ? visitor.page : visitor.page.locator(part);
  await writeFile(`${OUT}${name}.png`, await compact(name, await shown.screenshot()));
}

const { positionals: wanted } = readCommandLine({ allowPositionals: true });
await mkdir(OUT, { recursive: true });
await buildConsole();
for (const scene of SCENES) {
  if (wanted.length === 0 || wanted.includes(scene.name)) await take(scene);
}
