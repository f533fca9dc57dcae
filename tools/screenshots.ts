/**
 * Writes the pictures of the console that the pages under docs/ show: a real browser at a real service.
 *
 *     node tools/screenshots.ts [NAME...]
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { ColophonClient, OperatorClient } from "@colophon/client";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import type { BrowserContextOptions } from "playwright-core";
import sharp from "sharp";
import { buildConsole } from "../packages/console/build.ts";
import { ConsoleUnderTest } from "../packages/console/test/support/console-under-test.ts";
import { c2paStore } from "../packages/console/test/support/containers.ts";
import { freshPicture, freshPictures, type GivenFile } from "../packages/console/test/support/pictures.ts";
import { openLedger, signInAsOperator } from "../packages/console/test/support/operator.ts";
import type { Visitor } from "../packages/console/test/support/visitor.ts";

const OUT = fileURLToPath(new URL("../docs/images/", import.meta.url));
const SAMPLES = new URL("../packages/server/samples/", import.meta.url);
/** Pages are read on slow lines too. */
const MOST_BYTES = 150_000;
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

async function sample(file: string, name: string): Promise<GivenFile> {
  return { name, mimeType: "image/jpeg", buffer: await readFile(new URL(file, SAMPLES)) };
}

const harbour = await sample("scene.jpg", "harbour.jpg");
const repost = await sample("scene-crop.jpg", "repost.jpg");

/** A page that shows one picture mirrored and another one turned. */
async function collageOf(one: GivenFile, other: GivenFile): Promise<GivenFile> {
  const mirrored = await sharp(one.buffer).flop().resize(760).toBuffer();
  const turned = await sharp(other.buffer).resize(560).rotate(7, { background: "#e9e9e9" }).toBuffer();
  const page = sharp({ create: { width: 1500, height: 860, channels: 3, background: "#e9e9e9" } });
  const layers = [
    { input: mirrored, left: 60, top: 140 },
    { input: turned, left: 870, top: 200 },
  ];
  return { name: "page.jpg", mimeType: "image/jpeg", buffer: await page.composite(layers).jpeg().toBuffer() };
}

async function fillRegistration(visitor: Visitor): Promise<void> {
  await visitor.goTo("Register");
  await visitor.choose("Choose a file", harbour);
  await visitor.choose("Add manifest files", c2paStore("c2pa.manifest-store.c2pa"));
  for (const [label, text] of Object.entries(FIELDS)) {
    await visitor.page.getByLabel(label, { exact: true }).fill(text);
  }
}

/** The first scene that needs the picture registers it; the registry holds it from then on. */
async function readRecord(visitor: Visitor): Promise<void> {
  await fillRegistration(visitor);
  await visitor.press("Register");
  await visitor.page.getByText(/^(Registered|Not registered: it is held already)$/).waitFor();
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
  {
    name: "console-look-up",
    prepare: async (visitor) => {
      const another = await freshPicture("quay.jpg", 960, 640);
      await visitor.register(another);
      await visitor.goTo("Look up");
      await visitor.register(harbour);
      await visitor.lookUp(await collageOf(harbour, another));
      await visitor.heading("2 originals found").waitFor();
      await visitor.page.locator(".outline").nth(3).waitFor();
    },
  },
  { name: "console-record", prepare: readRecord, part: ".record" },
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

async function take(service: ConsoleUnderTest, scene: Scene): Promise<void> {
  const { name, prepare, part } = scene;
  const visitor = await enter(service, scene);
  await prepare(visitor, service);
  const shown = part === undefined ? visitor.page : visitor.page.locator(part);
  await writeFile(`${OUT}${name}.png`, await compact(name, await shown.screenshot()));
  await visitor.page.context().close();
}

const { positionals: wanted } = readCommandLine({ allowPositionals: true });
await mkdir(OUT, { recursive: true });
await buildConsole();
await using service = await ConsoleUnderTest.start();
for (const scene of SCENES) {
  if (wanted.length === 0 || wanted.includes(scene.name)) await take(service, scene);
}
