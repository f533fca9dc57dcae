import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findingsInEveryAppearance, PHONE } from "./support/accessibility.ts";
import { ConsoleUnderTest } from "./support/console-under-test.ts";
import { c2paStore } from "./support/containers.ts";
import { focusedLabel, tabTo } from "./support/keyboard.ts";
import { freshPicture, freshPictures } from "./support/pictures.ts";
import type { Visitor } from "./support/visitor.ts";

/** Every view in every appearance takes its time on a machine that has other work. */
const TOUR_MS = 600_000;

let console: ConsoleUnderTest;

beforeAll(async () => {
  console = await ConsoleUnderTest.start({ COLOPHON_CONSOLE_PINS_ROOT: "off" });
});

afterAll(async () => {
  await console[Symbol.asyncDispose]();
});

/** Goes through every view in its states, and calls `look` at each. */
async function tour(visitor: Visitor, look: (place: string) => Promise<void>): Promise<void> {
  const { page } = visitor;
  const token = page.getByLabel("Token", { exact: true });
  await token.waitFor();
  await look("sign-in");
  await token.fill("wrong");
  await visitor.press("Sign in");
  await page.getByRole("alert").waitFor();
  await look("sign-in refused");
  await visitor.signIn(await console.token());
  await look("look-up");
  await visitor.goTo("Account");
  await page.getByText("of 500 left").first().waitFor();
  await look("account");
  await visitor.goTo("Register");
  const photo = await freshPicture("harbour-at-dawn-seen-from-the-breakwater-2026-11-21.jpg", 320, 240);
  await visitor.choose("Add manifest files", c2paStore("a long name of a store.c2pa"));
  await visitor.choose("Choose a file", photo);
  await page.getByLabel("Kind", { exact: true }).fill("not a kind");
  await look("register");
  await page.getByLabel("Kind", { exact: true }).fill("c2pa.store");
  await visitor.register(photo, { Creator: "Ada Quist", Source: `https://example.org/${"a".repeat(80)}` });
  await look("registered");
  await visitor.goTo("Look up");
  await visitor.goTo("Register");
  await visitor.choose("Choose a file", photo);
  await visitor.press("Register");
  await page.getByRole("alert").waitFor();
  await look("register refused");
  await visitor.lookUp(await freshPicture("unknown.jpg"));
  await visitor.heading("No match in this registry").waitFor();
  await look("no match");
  await visitor.lookUp(photo);
  await visitor.button("Read the record").waitFor();
  await look("held");
  await visitor.press("Read the record");
  await page.locator(".verdict").waitFor();
  await page.locator("details").evaluateAll((all) => {
    for (const details of all) if (details instanceof HTMLDetailsElement) details.open = true;
  });
  expect(await visitor.verdict()).toBe("Holds together");
  await look("record");
  const record = await visitor.saved("Save the record as JSON");
  await visitor.choose("Load the root you trust", visitor.certificateOf(record, -1));
  await expect.poll(() => visitor.verdict()).toBe("Verified");
  await visitor.goTo("Verify");
  await look("verify");
  await visitor.goTo("Batch");
  await page.getByLabel("Register it, with the same manifests for all").check();
  await look("batch");
  await page.getByLabel("Find out where it comes from").check();
  await visitor.choose("Choose files", photo, ...(await freshPictures(2)));
  await visitor.press("Look all up");
  await visitor.button("New batch").waitFor();
  await look("batch done");
  await visitor.goTo("Library");
  await look("library");
  await page.getByRole("button", { name: /^Take down harbour/ }).click();
  await look("take-down asked");
}

describe("in the light and in the dark, at a desktop's and at a phone's width", () => {
  it(
    "axe finds nothing in any view, and none is wider than the window",
    async () => {
      const visitor = await console.open({ viewport: PHONE });
      const found: string[] = [];
      await tour(visitor, async (place) => {
        found.push(...(await findingsInEveryAppearance(visitor.page, place)));
      });
      expect(found).toEqual([]);
      expect(visitor.faults).toEqual([]);
    },
    TOUR_MS,
  );
});

describe("with the keyboard alone", () => {
  it("a picture is looked up, its record read, and its registration taken down", async () => {
    const token = await console.token();
    const visitor = await console.open();
    const { keyboard } = visitor.page;
    await tabTo(visitor, "Skip to content");
    await keyboard.press("Enter");
    await tabTo(visitor, "Token");
    await keyboard.type(token);
    await keyboard.press("Enter");
    await visitor.heading("Where does it come from?").waitFor();
    const photo = await freshPicture("keyboard.jpg");
    await visitor.register(photo);
    await visitor.page.reload();
    await tabTo(visitor, "Look up");
    await keyboard.press("Enter");
    // The view takes the focus when it has come, and would take it away from the field.
    await expect.poll(() => visitor.page.evaluate(() => document.activeElement?.id)).toBe("main");
    await tabTo(visitor, "Choose a file");
    // The dialog that Enter opens here is the browser's own.
    await visitor.choose("Choose a file", photo);
    await visitor.button("Look it up").waitFor();
    // What can be done with the picture comes before the way to choose another.
    await keyboard.press("Shift+Tab");
    await keyboard.press("Enter");
    await visitor.heading("One original found").waitFor();
    await tabTo(visitor, "Read the record");
    await keyboard.press("Enter");
    await visitor.page.locator(".verdict").waitFor();
    await expect.poll(() => focusedLabel(visitor)).toBe("The record");
    await tabTo(visitor, "Save the record as JSON");
    await visitor.page.reload();
    await tabTo(visitor, "Library");
    await keyboard.press("Enter");
    await visitor.heading("What is yours").waitFor();
    await expect.poll(() => visitor.page.evaluate(() => document.activeElement?.id)).toBe("main");
    await tabTo(visitor, "Take down keyboard.jpg");
    const dialog = visitor.page.getByRole("dialog");
    await keyboard.press("Enter");
    await dialog.waitFor();
    await keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => focusedLabel(visitor)).toBe("Take down keyboard.jpg");
    await keyboard.press("Enter");
    await dialog.waitFor();
    // The dialog is gone, and the button has the focus, before the next key: however fast it comes.
    await Promise.all([keyboard.press("Escape"), keyboard.press("Enter")]);
    await dialog.waitFor();
    await tabTo(visitor, "Take it down for good");
    await keyboard.press("Enter");
    await visitor.page.getByText("Taken down:").waitFor();
    await expect.poll(() => focusedLabel(visitor)).toMatch(/^Taken down:/);
    expect(visitor.faults).toEqual([]);
  });
});

describe("motion", () => {
  it("is there while a look-up runs, and not where the reader wants none", async () => {
    const visitor = await console.openSigned();
    const { page } = visitor;
    await page.route("**/inspect", () => undefined);
    await visitor.lookUp(await freshPicture("slow.jpg"));
    await page.getByLabel("Looking for originals").waitFor();
    const moving = (): Promise<number> => page.evaluate(() => document.getAnimations().length);
    expect(await moving()).toBe(1);
    await page.emulateMedia({ reducedMotion: "reduce" });
    expect(await moving()).toBe(0);
    expect(visitor.faults).toEqual([]);
  });
});

describe("the appearance", () => {
  it("follows the device until the reader chooses, and remembers that", async () => {
    const visitor = await console.open({ colorScheme: "dark" });
    const { page } = visitor;
    const background = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const dark = await background();
    await page.getByLabel("Appearance").selectOption("light");
    const light = await background();
    expect(light).not.toBe(dark);
    await page.reload();
    expect(await background()).toBe(light);
    await page.getByLabel("Appearance").selectOption("system");
    expect(await background()).toBe(dark);
  });
});
