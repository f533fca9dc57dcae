import { ColophonClient, ColophonError, OperatorClient } from "@colophon/client";
import type { CustodyRow } from "@colophon/contract";
import { FIRST_PREVIOUS_ROW_HASH, rowHash } from "@colophon/formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findingsInEveryAppearance, PHONE } from "./support/accessibility.ts";
import { ConsoleUnderTest } from "./support/console-under-test.ts";
import { focusedLabel, tabTo } from "./support/keyboard.ts";
import { mintToken, openAccount, openLedger, signInAsOperator } from "./support/operator.ts";
import { freshPicture, type GivenFile } from "./support/pictures.ts";
import type { Visitor } from "./support/visitor.ts";

let console: ConsoleUnderTest;
let operator: OperatorClient;

beforeAll(async () => {
  console = await ConsoleUnderTest.start();
  operator = new OperatorClient({ baseUrl: console.baseUrl, token: console.adminToken });
});

afterAll(async () => {
  await console[Symbol.asyncDispose]();
});

function clientOf(token: string): ColophonClient {
  return new ColophonClient({ baseUrl: console.baseUrl, token });
}

function fileOf({ name, mimeType, buffer }: GivenFile): File {
  return new File([Uint8Array.from(buffer)], name, { type: mimeType });
}

/** The id of the account whose page is shown. */
function accountShown(visitor: Visitor): string {
  return new URL(visitor.page.url()).hash.split("/").at(-1) ?? "";
}

/** An account that has registered a picture, looked it up and read its record: 5 custody and 3 usage rows. */
async function busyAccount(name: string): Promise<{ accountId: string; token: string; imageHash: string }> {
  const { accountId } = await operator.createAccount({ name, registrations: 20, lookups: 30 });
  const { token } = await operator.mintToken(accountId, { label: "newsroom" });
  const photo = fileOf(await freshPicture("harbour.jpg"));
  const { imageHash, originalImageHash } = await clientOf(token).register(photo);
  await clientOf(token).lookUp(photo);
  await clientOf(token).record(originalImageHash);
  return { accountId, token, imageHash };
}

async function openedAsOperator(): Promise<Visitor> {
  const visitor = await console.open();
  await signInAsOperator(visitor, console.adminToken);
  return visitor;
}

/** The cells of a column of the table shown. */
function column(visitor: Visitor, nth: number): Promise<string[]> {
  return visitor.page.locator(`.ledger tbody tr > :nth-child(${nth})`).allInnerTexts();
}

/** Does something for which the ledger wants a reason. */
async function giveReason(visitor: Visitor, button: string, action: string): Promise<void> {
  await visitor.press(`${button}…`);
  expect(await visitor.button(action).isDisabled()).toBe(true);
  await visitor.page.getByLabel("Reason").fill("Invoice 4711 is unpaid.");
  await visitor.press(action);
}

describe("the operator's day", () => {
  it("opens an account, mints a token that works, changes grants, reads the ledgers, revokes", async () => {
    const visitor = await openedAsOperator();
    const { page } = visitor;
    await openAccount(visitor, "Harbour Press", { registrations: 20, lookups: 30 });
    const accountId = accountShown(visitor);
    expect(await operator.account(accountId)).toMatchObject({
      name: "Harbour Press",
      registrations: { grant: 20 },
      lookups: { grant: 30 },
      sequencesEnabled: false,
    });

    const token = await mintToken(visitor, "newsroom");
    const client = clientOf(token);
    const photo = fileOf(await freshPicture("harbour.jpg"));
    const { originalImageHash } = await client.register(photo);
    expect((await client.lookUp(photo)).matchedOriginalImageHashes).toEqual([originalImageHash]);
    await visitor.press("I have kept it");
    expect(await page.content()).not.toContain(token);
    const stored = await page.evaluate(() =>
      [sessionStorage, localStorage].flatMap((kept) => Object.values(kept)),
    );
    expect(stored.join()).not.toContain(token);

    await page.getByRole("spinbutton", { name: "Look-ups" }).fill("45");
    await page.getByLabel("The account may register sequences of frames").check();
    await visitor.press("Save");
    await page.getByText("Saved.").waitFor();
    await page.getByText("of 45 left").waitFor();
    expect(await operator.account(accountId)).toMatchObject({
      name: "Harbour Press",
      registrations: { grant: 20 },
      lookups: { grant: 45 },
      sequencesEnabled: true,
    });

    await openLedger(visitor, "Custody", accountId);
    await visitor.heading("The chain holds").waitFor();
    expect(await column(visitor, 3)).toEqual([
      "Deleted picture to look up",
      "Received picture to look up",
      "Deleted picture to register",
      "Derived packet",
      "Received picture to register",
    ]);

    await openLedger(visitor, "Usage", accountId);
    await visitor.heading("Look-ups spent").waitFor();
    await page.getByText("Ever since: 1 registration and 1 look-up, in 2 rows.").waitFor();

    await visitor.goTo("Originals");
    await page.getByLabel("The original's hash").fill(originalImageHash);
    await giveReason(visitor, "Set aside", "Set it aside");
    await page.getByText("only its very bytes match it").waitFor();

    await visitor.goTo("Accounts");
    await page.getByRole("link", { name: "Harbour Press" }).click();
    await page.getByLabel("Ends on (UTC), if ever").fill("2099-12-31");
    await mintToken(visitor, "for a season");
    await page.getByText("ends 31 December 2099, 00:00 UTC").waitFor();
    await giveReason(visitor, "Suspend", "Suspend it");
    await page.getByText(/^Suspended since /).waitFor();
    await expect(client.stats()).rejects.toThrow(ColophonError);
    await visitor.goTo("Accounts");
    await page.getByRole("rowheader", { name: "Harbour Press suspended" }).waitFor();
    await page.getByRole("link", { name: "Harbour Press" }).click();
    await giveReason(visitor, "Resume", "Resume it");
    await visitor.button("Suspend…").waitFor();
    await giveReason(visitor, "Take everything down", "Take it all down for good");
    await page.getByText("Taken down for good: 1 original.").waitFor();
    const done: string[] = [];
    for await (const { kind } of operator.operations(accountId)) done.push(kind);
    expect(done).toEqual(["setAside", "suspended", "resumed", "takenDown"]);
    await visitor.button("Revoke newsroom").click();
    await visitor.press("Keep it");
    expect((await client.stats()).registrations.consumed).toBe(1);
    await visitor.button("Revoke newsroom").click();
    await visitor.press("Revoke it for good");
    await page.getByText("Revoked", { exact: true }).waitFor();
    const refused = await client.stats().catch((error: unknown) => error);
    expect(refused instanceof ColophonError && refused.is("unauthorized")).toBe(true);
    expect(visitor.faults).toEqual([]);
  });

  it("needs no mouse: a token is minted, and revoked again", async () => {
    const { accountId } = await operator.createAccount({ name: "By keyboard" });
    const visitor = await console.open();
    const { keyboard } = visitor.page;
    await tabTo(visitor, /^An account's token/);
    await keyboard.press("ArrowDown");
    await tabTo(visitor, "Token");
    await keyboard.type(console.adminToken);
    await keyboard.press("Enter");
    await visitor.page.getByRole("link", { name: "By keyboard" }).waitFor();
    await tabTo(visitor, "By keyboard");
    await keyboard.press("Enter");
    await visitor.heading("By keyboard").waitFor();
    await tabTo(visitor, "Who or what it is for");
    await keyboard.type("night desk");
    await keyboard.press("Enter");
    await visitor.heading("The token, this once").waitFor();
    await expect.poll(() => focusedLabel(visitor)).toBe("The token, this once");
    await tabTo(visitor, "I have kept it");
    await keyboard.press("Enter");
    await expect.poll(() => focusedLabel(visitor)).toBe("Tokens");
    await tabTo(visitor, "Revoke night desk");
    await keyboard.press("Enter");
    await expect.poll(() => focusedLabel(visitor)).toBe("Keep it");
    await tabTo(visitor, "Revoke it for good");
    await keyboard.press("Enter");
    await visitor.page.getByText("Revoked: night desk.").waitFor();
    await expect.poll(() => focusedLabel(visitor)).toMatch(/^Revoked: night desk/);
    const { tokens } = await operator.tokens(accountId);
    expect(tokens).toMatchObject([{ label: "night desk", revokedAt: expect.any(String) }]);
    expect(visitor.faults).toEqual([]);
  });

  it("ends at once for a token that is not the operator's", async () => {
    const visitor = await console.open();
    await visitor.page.getByLabel("The operator's token").check();
    await visitor.page.getByLabel("Token", { exact: true }).fill(await console.token());
    await visitor.press("Sign in");
    await visitor.page.getByRole("alert").getByText("This token opens nothing here").waitFor();
    expect(await visitor.page.getByRole("navigation").count()).toBe(0);
  });

  it("hands out the root certificate that records lead to", async () => {
    const visitor = await openedAsOperator();
    await visitor.goTo("Trust root");
    expect(await visitor.saved("Save the certificate")).toBe((await operator.trustRoot()).certificate);
  });
});

/** A ledger of so many rows, its chain unbroken, as the service exports it. */
function longLedger(rows: number): string {
  let previousRowHash = FIRST_PREVIOUS_ROW_HASH;
  const lines = Array.from({ length: rows }, (_, at) => {
    const row = {
      seq: at + 1,
      at: "2026-11-21T08:00:00.000Z",
      kind: "deleted",
      subject: "queryImage",
      imageHash: null,
      sequenceId: null,
      frameId: null,
      slotId: `slot-${at + 1}`,
      byteLength: 4096,
      check: "absent",
      previousRowHash,
    };
    previousRowHash = rowHash(row);
    return `${JSON.stringify({ ...row, rowHash: previousRowHash })}\n`;
  });
  return lines.join("");
}

describe("the custody ledger", () => {
  it("is searched by what happened and by any part of a hash", async () => {
    const { accountId, imageHash } = await busyAccount("Searched");
    const visitor = await openedAsOperator();
    await openLedger(visitor, "Custody", accountId);
    await visitor.heading("The chain holds").waitFor();
    await visitor.page.getByLabel("What happened").selectOption("Deleted");
    expect(await column(visitor, 5)).toEqual(["zeroed", "zeroed"]);
    await visitor.page.getByLabel("Hash or id").fill(imageHash.slice(20, 50).toUpperCase());
    await visitor.page.getByText("2 rows, 1 to 2 shown").waitFor();
    await visitor.page.getByLabel("Hash or id").fill("nothing like it");
    await visitor.page.getByText("No row is like that.").waitFor();
  });

  it("is checked whole and paged, newest first, however long it is", async () => {
    const { accountId } = await operator.createAccount({ name: "Long kept" });
    const visitor = await openedAsOperator();
    const body = longLedger(50_010);
    await visitor.page.route("**/custody", (route) => route.fulfill({ status: 200, body }));
    await openLedger(visitor, "Custody", accountId);
    await visitor.page.getByText(/^All 50,010 rows:/).waitFor();
    await visitor.page.getByText("The newest 50,000 rows can be browsed here").waitFor();
    await visitor.page.getByText("50,000 rows, 1 to 50 shown, newest first.").waitFor();
    expect((await column(visitor, 1)).at(0)).toBe("50010");
    await visitor.press("Older");
    expect((await column(visitor, 1)).at(0)).toBe("49960");
    await visitor.page.getByLabel("Hash or id").fill("slot-49999");
    await visitor.page.getByText("1 row, 1 to 1 shown").waitFor();
    await expect.poll(() => visitor.button("Older").count()).toBe(0);
    await visitor.page.getByLabel("Hash or id").fill("slot-5");
    await visitor.page.getByText(/ shown, newest first/).waitFor();
    await visitor.press("Older");
    await visitor.press("Newer");
    await expect.poll(() => visitor.button("Newer").isDisabled()).toBe(true);
  });

  it.each([
    {
      what: "an altered row",
      tamper: (rows: CustodyRow[]) => rows.map((row) => (row.seq === 3 ? { ...row, byteLength: 1 } : row)),
      says: "Row 3 is not the row its hash was taken of.",
      broken: "3",
    },
    {
      what: "a missing row",
      tamper: (rows: CustodyRow[]) => rows.filter(({ seq }) => seq !== 2),
      says: "Row 3 does not follow the row before it: one is missing or altered.",
      broken: "3",
    },
  ])("shows where $what breaks the chain, and all the rows after it", async ({ tamper, says, broken }) => {
    const { accountId } = await busyAccount("Tampered with");
    const visitor = await openedAsOperator();
    await visitor.page.route("**/custody", async (route) => {
      const answer = await route.fetch();
      const lines = (await answer.text()).trim().split("\n");
      const rows = tamper(lines.map((line) => JSON.parse(line) as CustodyRow));
      await route.fulfill({
        response: answer,
        body: rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
      });
    });
    await openLedger(visitor, "Custody", accountId);
    await visitor.heading("The chain breaks").waitFor();
    await visitor.page.getByRole("alert").getByText(says).waitFor();
    expect(await visitor.page.locator(".ledger tr.broken > th").allInnerTexts()).toEqual([broken]);
    expect((await column(visitor, 1)).at(0)).toBe("5");
  });
});

describe("usage over time", () => {
  it("is a picture that says what it shows, with every figure beside it", async () => {
    const { accountId } = await busyAccount("Charted");
    const visitor = await openedAsOperator();
    await openLedger(visitor, "Usage", accountId);
    const picture = visitor.page.getByRole("img", {
      name: /^Look-ups spent by day since .*: 2 units, most \(2\)/,
    });
    await picture.waitFor();
    await visitor.page.getByText("The figures").last().click();
    expect((await column(visitor, 2)).at(-1)).toBe("1");
    expect((await column(visitor, 3)).at(-1)).toBe("1");
    await visitor.page.getByLabel("Show").selectOption("The last 24 months");
    await visitor.page.getByRole("img", { name: /^Look-ups spent by month since .*: 2 units/ }).waitFor();
  });
});

/** Goes through every view of the operator, and calls `look` at each. */
async function tour(
  visitor: Visitor,
  accountId: string,
  look: (place: string) => Promise<void>,
): Promise<void> {
  const { page } = visitor;
  await signInAsOperator(visitor, console.adminToken);
  await page.getByRole("link", { name: /^A name/ }).waitFor();
  await look("accounts");
  await page.getByRole("link", { name: /^A name/ }).click();
  await visitor.button("Revoke newsroom").waitFor();
  await mintToken(visitor, "photo desk");
  await look("account");
  await visitor.button("Revoke photo desk").click();
  await look("revoke asked");
  await visitor.press("Revoke it for good");
  await page.getByText("Revoked", { exact: true }).waitFor();
  await visitor.press("Save");
  await page.getByText("Nothing was changed.").waitFor();
  await look("account changed");
  await visitor.press("Suspend…");
  await look("suspend asked");
  await visitor.press("Leave it as it is");
  await visitor.goTo("Originals");
  await look("originals");
  await openLedger(visitor, "Custody", accountId);
  await visitor.heading("The chain holds").waitFor();
  await look("custody");
  await openLedger(visitor, "Usage", accountId);
  await visitor.heading("Look-ups spent").waitFor();
  for (const figures of await page.getByText("The figures").all()) await figures.click();
  await look("usage");
  await visitor.goTo("Trust root");
  await visitor.button("Save the certificate").waitFor();
  await look("trust root");
}

describe("in the light and in the dark, at a desktop's and at a phone's width", () => {
  it("axe finds nothing in any view of the operator, and none is wider than the window", async () => {
    const { accountId } = await busyAccount(
      `A name as long as names of houses with many partners get, and ${"letters".repeat(15)}`,
    );
    const visitor = await console.open({ viewport: PHONE });
    const found: string[] = [];
    await tour(visitor, accountId, async (place) => {
      found.push(...(await findingsInEveryAppearance(visitor.page, place)));
    });
    expect(found).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });
});
