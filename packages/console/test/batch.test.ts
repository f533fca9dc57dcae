import { ColophonClient } from "@colophon/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConsoleUnderTest } from "./support/console-under-test.ts";
import { creditedTo, croppedCopy, freshPicture, freshPictures } from "./support/pictures.ts";
import type { Visitor } from "./support/visitor.ts";

let console: ConsoleUnderTest;

beforeAll(async () => {
  console = await ConsoleUnderTest.start();
});

afterAll(async () => {
  await console[Symbol.asyncDispose]();
});

/** A hundred registrations take their time on a machine that has other work. */
const HUNDRED_MS = 600_000;

/** How many files the table shows in each state. */
async function tally({ page }: Visitor): Promise<Record<string, number>> {
  const states = await page.locator(".batch-table .state").allInnerTexts();
  return Object.fromEntries(
    [...Map.groupBy(states, (state) => state)].map(([state, { length }]) => [state, length]),
  );
}

const UPLOADS = /\/(uploads|queries)$/;

/** Lets one upload through and keeps the others back, however fast the machine is, until the answer is called. */
async function afterOneUpload({ page }: Visitor): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>();
  let uploads = 0;
  await page.route(UPLOADS, async (route) => {
    uploads += 1;
    if (uploads > 1) await released.promise;
    // An upload that was stopped meanwhile is gone.
    await route.continue().catch(() => {});
  });
  return async () => {
    released.resolve();
    await page.unroute(UPLOADS);
  };
}

const NOTES = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") };

describe("a batch", () => {
  it(
    "of a hundred registers all, through a stop, and says so file by file",
    async () => {
      const visitor = await console.openSigned();
      const { page } = visitor;
      // The first is large enough to be found by its crop.
      const large = await creditedTo("Harbour Press", await freshPicture("frame-001.jpg", 320, 240));
      const files = [large, ...(await freshPictures(100)).slice(1)];
      await visitor.goTo("Batch");
      await visitor.choose("Choose files", ...files, NOTES);
      await page.getByText("1 file left out: no pictures.").waitFor();
      await page.getByLabel("Register it, with the same manifests for all").check();
      await page.getByLabel("Creator", { exact: true }).fill("Ada Quist");
      await page.getByText("Costs at most 100 registrations; 500 left.").waitFor();
      let uploads = 0;
      page.on("request", (request) => {
        if (request.url().endsWith("/uploads")) uploads += request.postDataBuffer()?.length ?? 0;
      });
      const release = await afterOneUpload(visitor);
      await visitor.press("Register all");
      await page.locator(".batch-table [data-state=held]").first().waitFor();
      await visitor.press("Stop");
      await visitor.button("Go on").waitFor();
      await release();
      const held = (await tally(visitor))["sent"] ?? 0;
      expect(held).toBeGreaterThan(0);
      expect(held).toBeLessThan(100);
      // Leaving the view leaves the batch as it is.
      await visitor.goTo("Account");
      await page.getByText("of 500 left").first().waitFor();
      await visitor.goTo("Batch");
      await visitor.press("Go on");
      await visitor.button("New batch").waitFor({ timeout: HUNDRED_MS });
      expect(await tally(visitor)).toEqual({ registered: 100 });
      const whole = files.reduce((sum, { buffer }) => sum + buffer.length, 0);
      expect(uploads).toBeLessThan(whole * 1.5);

      const csv = (await visitor.saved("Save as CSV")).trimEnd().split("\r\n");
      expect(csv).toHaveLength(101);
      expect(csv[0]).toBe("name,bytes,state,reason,imageHash,registrationId,originals");
      expect(csv[1]).toMatch(/^frame-001\.jpg,\d+,registered,,[0-9a-f]{64},[0-9a-f-]{36},[0-9a-f]{64}$/);
      const json: { registrationId: string }[] = JSON.parse(await visitor.saved("Save as JSON"));
      expect(new Set(json.map(({ registrationId }) => registrationId)).size).toBe(100);
      await visitor.goTo("Library");
      const listed = page.getByRole("button", { name: /^Take down frame-/ });
      await expect.poll(() => listed.count()).toBe(100);

      await visitor.goTo("Batch");
      await visitor.press("New batch");
      const [first, second] = files;
      if (first === undefined || second === undefined) throw new Error("There are no files.");
      const crop = await croppedCopy(first, "crop.jpg");
      const [stranger] = await freshPictures(1);
      if (stranger === undefined) throw new Error("There is no stranger.");
      await visitor.choose("Choose files", crop, second, { ...stranger, name: "stranger.jpg" });
      await visitor.press("Look all up");
      await visitor.button("New batch").waitFor();
      expect(await tally(visitor)).toEqual({ match: 2, "no match": 1 });
      await page.reload();
      await visitor.button("New batch").waitFor();
      expect(await tally(visitor)).toEqual({ match: 2, "no match": 1 });
      await page.getByRole("link", { name: / for crop\.jpg$/ }).click();
      await visitor.press("Read the record");
      expect(await page.locator(".record").innerText()).toMatch(
        /creator Ada Quist[^]*iptc[^]*creditText Harbour Press/,
      );
      expect(visitor.faults).toEqual([]);
    },
    HUNDRED_MS,
  );

  it("goes on after the page was loaded again, once it has its files back, and says whether the news is good", async () => {
    const visitor = await console.openSigned();
    const { page } = visitor;
    const [held, ...others] = await freshPictures(24);
    if (held === undefined) throw new Error("There is no picture.");
    await visitor.register(held);
    await visitor.goTo("Batch");
    await page.getByLabel("Make sure that nobody has registered it").check();
    const broken = { name: "broken.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") };
    const files = [held, ...others, broken];
    await visitor.choose("Choose files", ...files);
    const release = await afterOneUpload(visitor);
    await visitor.press("Check all");
    await page.locator(".batch-table [data-state=held]").first().waitFor();
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText("25 pictures still to be given.").waitFor();
    await release();
    await visitor.choose("Choose files", ...files.slice(0, 20));
    await page.getByText("5 pictures still to be given.").waitFor();
    await visitor.choose("Choose files", ...files.slice(20));
    await visitor.button("New batch").waitFor();
    expect(await tally(visitor)).toEqual({ match: 1, "no match": 23, "not taken": 1 });
    expect(await page.locator(".state.tone-stop").allInnerTexts()).toContain("match");
    await page.getByText("The picture cannot be read: the file is damaged").waitFor();
    await expect.poll(() => page.locator(".thumbnail img").count()).toBe(24);
    expect(visitor.faults).toEqual([]);
  });

  it("whose slot is gone when it goes on begins again", async () => {
    const token = await console.token();
    const visitor = await console.open();
    await visitor.signIn(token);
    const { page } = visitor;
    await visitor.goTo("Batch");
    await visitor.choose("Choose files", ...(await freshPictures(24)));
    const release = await afterOneUpload(visitor);
    await visitor.press("Look all up");
    await page.locator(".batch-table [data-state=held]").first().waitFor();
    await visitor.press("Stop");
    await visitor.button("Go on").waitFor();
    await release();
    const { library, lookupSlots } = new ColophonClient({ baseUrl: console.baseUrl, token });
    const open = await library.lookupSlots();
    expect(open).toHaveLength(1);
    for (const { lookupSlotId } of open) await lookupSlots.abandon(lookupSlotId);
    await visitor.press("Go on");
    await visitor.button("New batch").waitFor();
    expect(await tally(visitor)).toEqual({ "no match": 24 });
    expect(visitor.faults).toEqual([]);
  });

  it("names what did not go through, and can be dropped", async () => {
    const visitor = await console.openSigned({ registrations: 3, lookups: 50 });
    const { page } = visitor;
    const [first, ...others] = await freshPictures(5);
    if (first === undefined) throw new Error("There is no picture.");
    const files = [{ ...first, name: 'the "blue", bridge.jpg' }, ...others];
    await visitor.goTo("Batch");
    await visitor.choose("Choose files", ...files);
    await page.getByLabel("Register it, with the same manifests for all").check();
    await visitor.press("Register all");
    await visitor.button("New batch").waitFor();
    expect(await tally(visitor)).toEqual({ registered: 3, "not taken": 2 });
    expect(await visitor.saved("Save as CSV")).toContain('\r\n"the ""blue"", bridge.jpg",');
    await page.getByLabel("Only the 2 files that did not go through").check();
    expect(await tally(visitor)).toEqual({ "not taken": 2 });
    expect(await page.locator(".batch-table").innerText()).toContain(
      "The account's remaining registration grant does not cover",
    );

    await visitor.press("New batch");
    await visitor.choose("Choose files", ...(await freshPictures(24)));
    const release = await afterOneUpload(visitor);
    await visitor.press("Look all up");
    await page.locator(".batch-table [data-state=held]").first().waitFor();
    await visitor.press("Stop");
    await visitor.press("Drop the batch");
    await release();
    await visitor.button("Look all up").waitFor();
    await visitor.goTo("Account");
    await page.getByText("Reserved by open batches").first().waitFor();
    await expect
      .poll(() => page.locator(".usage-key").nth(1).innerText())
      .toMatch(/Reserved by open batches\s*0/);
    expect(visitor.faults).toEqual([]);
  });
});
