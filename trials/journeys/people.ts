import { OperatorClient, registerSequence } from "@colophon/client";
import { cropped, mirrored, pageWith, screenshotOf, turned } from "@colophon/testing/reposts.ts";
import {
  openLedger,
  mintToken,
  openAccount,
  signInAsOperator,
} from "../../packages/console/test/support/operator.ts";
import { creditedTo, type GivenFile } from "../../packages/console/test/support/pictures.ts";
import { clientOf, CREDIT, fileOf, jpeg, registerAs } from "./accounts.ts";
import type { Traveller } from "./traveller.ts";

/** Somebody's way, from the console's first page on. */
export interface Journey {
  readonly name: string;
  /** What the service is started with. */
  readonly settings: Readonly<Record<string, string>>;
  readonly go: (traveller: Traveller, photographs: readonly GivenFile[]) => Promise<void>;
}

/** Looks a picture up and keeps what the page answers. */
async function ask({ visitor, step }: Bound, picture: GivenFile, name: string): Promise<void> {
  await visitor.goTo("Batch");
  await visitor.lookUp(picture);
  await visitor.page.locator(".answer, .problem").first().waitFor();
  await visitor.page.waitForTimeout(300);
  await step(name);
}

interface Bound {
  readonly visitor: Traveller["visitor"];
  readonly step: (name: string) => Promise<void>;
}

function bound(traveller: Traveller): Bound {
  return { visitor: traveller.visitor, step: (name) => traveller.step(name) };
}

/** Checks where pictures come from, reads records, and is handed a forged one. */
async function checkFacts(traveller: Traveller, photographs: readonly GivenFile[]): Promise<void> {
  const [one, two, third, fourth, still, unknown] = photographs as [
    GivenFile,
    GivenFile,
    GivenFile,
    GivenFile,
    GivenFile,
    GivenFile,
  ];
  const { visitor, step } = bound(traveller);
  const { page } = visitor;
  const press = await clientOf(traveller);
  await registerAs(press.client, [one, two]);
  const { client, token } = await clientOf(traveller, true);
  await registerAs(client, [third]);
  await registerSequence(client, [fileOf(still), fileOf(fourth)], {
    manifests: [{ kind: "credit", json: CREDIT }],
  });
  await step("sign-in");
  await page.getByLabel("Token", { exact: true }).fill("not-a-token");
  await visitor.press("Sign in");
  await page.getByRole("alert").waitFor();
  await step("wrong-token");
  await visitor.signIn(token);
  await step("look-up");
  await visitor.choose("Choose a file", jpeg(await cropped(one.buffer)));
  await page.locator(".picture img").waitFor();
  await step("chosen");
  await visitor.press("Look it up");
  await step("looking");
  await page.locator(".answer").waitFor();
  await page.waitForTimeout(300);
  await step("crop");
  await visitor.press("Read the record");
  await page.locator(".verdict").waitFor();
  await page.waitForTimeout(300);
  await step("record");
  const both = bound(traveller);
  await ask(both, one, "same-file");
  await ask(both, jpeg(await mirrored(await cropped(two.buffer, 0.8))), "mirrored");
  await ask(both, jpeg(await turned(third.buffer, 17)), "turned");
  await ask(both, jpeg(await screenshotOf(one.buffer), "screenshot.jpg"), "screenshot");
  await ask(both, jpeg(await pageWith(two.buffer, third.buffer), "page.jpg"), "page-of-two");
  await ask(both, jpeg(await cropped(still.buffer, 0.9), "still.jpg"), "video-still");
  await ask(both, unknown, "no-match");
  await ask(both, jpeg(Buffer.from("This is a text.\n"), "notes.jpg"), "no-picture");
  await visitor.goTo("Verify");
  await step("verify");
  const { matchedOriginalImageHashes } = await client.lookUp(fileOf(one));
  const { text } = await client.record(matchedOriginalImageHashes[0] ?? "");
  const forged = Buffer.from(text.replaceAll("Ada Quist", "Eve Quill"));
  await visitor.choose("I kept the record", {
    name: "forged.json",
    mimeType: "application/json",
    buffer: forged,
  });
  await page.locator(".verdict").waitFor();
  await step("forged");
  await visitor.choose("I kept the record", {
    name: "notes.json",
    mimeType: "application/json",
    buffer: Buffer.from("{}"),
  });
  await page.locator(".warning").waitFor();
  await step("no-record");
}

/** Registers a picture, finds that one was registered already, and takes one down. */
async function register(traveller: Traveller, photographs: readonly GivenFile[]): Promise<void> {
  const [own, other] = photographs as [GivenFile, GivenFile];
  const { visitor, step } = bound(traveller);
  const { page } = visitor;
  const stranger = await clientOf(traveller);
  await registerAs(stranger.client, [other]);
  const { token } = await clientOf(traveller);
  await visitor.signIn(token);
  await visitor.goTo("Library");
  await visitor.heading("Nothing registered yet").waitFor();
  await step("library-empty");
  await visitor.goTo("Account");
  await page.locator(".usage").nth(1).waitFor();
  await step("account");
  await visitor.goTo("Register");
  await step("register");
  await visitor.choose("Choose a file", await creditedTo("Ada Quist", own));
  for (const [label, text] of Object.entries({ Creator: "Ada Quist", Licence: "CC BY 4.0" })) {
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  await page.locator(".picture img").waitFor();
  await step("filled");
  await visitor.press("Register");
  await visitor.heading("Registered").waitFor();
  await step("registered");
  await visitor.press("Register another");
  await visitor.choose("Choose a file", jpeg(await cropped(own.buffer, 0.9)));
  await visitor.press("Register");
  await page.getByRole("alert").waitFor();
  await step("yours-already");
  await visitor.choose("Choose a file", other);
  await visitor.press("Register");
  await page.getByRole("alert").waitFor();
  await step("anothers");
  await visitor.goTo("Library");
  await visitor.heading("Registered").waitFor();
  await step("library");
  await page.getByRole("button", { name: /^Take down/ }).click();
  await step("take-down-asked");
  await visitor.press("Take it down for good");
  await page.getByText("Taken down:").waitFor();
  await step("taken-down");
}

/** Checks a folder before it is published, loses the page, and registers what is its own. */
async function newsroom(traveller: Traveller, photographs: readonly GivenFile[]): Promise<void> {
  const { visitor, step } = bound(traveller);
  const { page } = visitor;
  const stranger = await clientOf(traveller);
  await registerAs(stranger.client, photographs.slice(0, 2));
  const { token, client } = await clientOf(traveller);
  await registerAs(client, photographs.slice(2, 3));
  const notes = jpeg(Buffer.from("This is a text.\n"), "notes.jpg");
  const folder = [
    jpeg(await cropped(photographs[0]!.buffer), "agency-4711.jpg"),
    jpeg(await pageWith(photographs[1]!.buffer, photographs[2]!.buffer), "page-one.jpg"),
    jpeg(await mirrored(photographs[2]!.buffer), "reader-letter.jpg"),
    ...photographs.slice(4),
    notes,
  ];
  await visitor.signIn(token);
  await visitor.goTo("Batch");
  await step("batch");
  await visitor.choose("Choose files", ...folder, {
    name: "list.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("a"),
  });
  await page.getByLabel("Make sure that nobody has registered it").check();
  await step("gathered");
  await visitor.press("Check all");
  await step("under-way");
  await visitor.button("New batch").waitFor();
  await page.waitForTimeout(300);
  await step("checked");
  await page.reload();
  await page.waitForTimeout(1500);
  await step("reloaded");
  if (await visitor.button("New batch").isVisible()) await visitor.press("New batch");
  await visitor.choose("Choose files", ...folder.slice(0, 2), ...photographs.slice(4));
  await page.getByLabel("Register it, with the same manifests for all").check();
  await page.getByLabel("Creator", { exact: true }).fill("Ada Quist");
  await step("register-set-up");
  await visitor.press("Register all");
  await visitor.button("New batch").waitFor();
  await page.waitForTimeout(300);
  await step("registered");
  await visitor.goTo("Library");
  await visitor.heading("Registered").waitFor();
  await step("library");
}

/** Opens an account, mints a token, reads the ledgers. */
async function operate(traveller: Traveller, photographs: readonly GivenFile[]): Promise<void> {
  const { visitor, step } = bound(traveller);
  const { page } = visitor;
  const { client } = await clientOf(traveller);
  await registerAs(client, photographs.slice(0, 3));
  for (const { buffer } of photographs.slice(0, 3)) await client.lookUp(fileOf(jpeg(await cropped(buffer))));
  await signInAsOperator(visitor, traveller.service.adminToken);
  await page.locator(".ledger").waitFor();
  await step("accounts");
  await openAccount(visitor, "Picture desk", { registrations: 200, lookups: 2000 });
  await step("account");
  await mintToken(visitor, "newsroom");
  await step("token");
  await visitor.press("I have kept it");
  await visitor.press("Suspend…");
  await step("suspend-asked");
  await visitor.press("Leave it as it is");
  const operator = new OperatorClient({
    baseUrl: traveller.service.baseUrl,
    token: traveller.service.adminToken,
  });
  const { accounts } = await operator.accounts();
  const busy = accounts.find(({ name }) => name === "Harbour Press")!.accountId;
  await openLedger(visitor, "Custody", busy);
  await visitor.heading("The chain holds").waitFor();
  await step("custody");
  await openLedger(visitor, "Usage", busy);
  await page.locator(".chart").first().waitFor();
  await step("usage");
  await visitor.goTo("Originals");
  await step("originals");
  await visitor.goTo("Trust root");
  await page.locator("code").first().waitFor();
  await step("trust-root");
}

/** Looks a picture up without an account, and reads the API's reference. */
async function develop(traveller: Traveller, photographs: readonly GivenFile[]): Promise<void> {
  const [one, , , , , unknown] = photographs as [
    GivenFile,
    GivenFile,
    GivenFile,
    GivenFile,
    GivenFile,
    GivenFile,
  ];
  const { visitor, step } = bound(traveller);
  const { page } = visitor;
  const { client } = await clientOf(traveller);
  await registerAs(client, [one]);
  await page.reload();
  await step("open");
  await visitor.choose("Choose a file", jpeg(await cropped(one.buffer)));
  await visitor.press("Look it up");
  await page.locator(".verdict").waitFor();
  await page.waitForTimeout(300);
  await step("found");
  await visitor.goTo("Verify");
  await visitor.goTo("Look up");
  await visitor.choose("Choose a file", unknown);
  await visitor.press("Look it up");
  await page.locator(".answer").waitFor();
  await step("no-match");
  await page.goto(`${traveller.service.baseUrl}/docs/`);
  await page.locator("[data-section-id]").first().waitFor();
  await page.waitForTimeout(1500);
  await step("reference");
  await page.goto(`${traveller.service.baseUrl}/`);
  await step("root");
}

const DEFAULTS = {};

export const JOURNEYS: readonly Journey[] = [
  { name: "facts", settings: DEFAULTS, go: checkFacts },
  { name: "photographer", settings: DEFAULTS, go: register },
  { name: "newsroom", settings: DEFAULTS, go: newsroom },
  { name: "operator", settings: DEFAULTS, go: operate },
  { name: "developer", settings: { COLOPHON_PUBLIC: "lookups" }, go: develop },
];
