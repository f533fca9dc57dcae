import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConsoleUnderTest } from "./support/console-under-test.ts";
import { croppedCopy, freshPicture } from "./support/pictures.ts";

const MAX_IMAGE_BYTES = 1024 * 1024;

let console: ConsoleUnderTest;

beforeAll(async () => {
  console = await ConsoleUnderTest.start({ COLOPHON_MAX_IMAGE_BYTES: String(MAX_IMAGE_BYTES) });
});

afterAll(async () => {
  await console[Symbol.asyncDispose]();
});

describe("the sign-in", () => {
  it("refuses a token nobody minted, and one of the other kind", async () => {
    const visitor = await console.open();
    const { page } = visitor;
    const token = page.getByLabel("Token", { exact: true });
    const alert = page.getByRole("alert");
    await token.fill("clp_nobody-minted-this");
    await visitor.press("Sign in");
    await alert.waitFor();
    expect(await alert.innerText()).toContain("This token opens nothing here");
    expect(await alert.innerText()).toContain("It is mistyped, revoked, expired, or of the other kind");
    await page.getByLabel("The operator's token").check();
    await token.fill(await console.token());
    await visitor.press("Sign in");
    await alert.waitFor();
    expect(await visitor.button("Sign out").count()).toBe(0);
    await token.fill(console.adminToken);
    await visitor.press("Sign in");
    await visitor.heading("Accounts").waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it("is kept for the tab, and signing out leaves nothing behind", async () => {
    const visitor = await console.openSigned();
    const { page } = visitor;
    await visitor.register(await freshPicture("kept.jpg"));
    await page.reload();
    await visitor.goTo("Library");
    await visitor.button("Take down kept.jpg").waitFor();
    expect(await page.evaluate(() => Object.values(localStorage).concat(document.cookie).join(""))).toBe("");
    await visitor.press("Sign out");
    await page.getByLabel("Token", { exact: true }).waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(new URL(page.url()).hash).toBe("");
    expect(visitor.faults).toEqual([]);
  });
});

describe("a refusal", () => {
  it("of an exhausted grant says what is left and who can help", async () => {
    const visitor = await console.openSigned({ registrations: 1, lookups: 0 });
    await visitor.lookUp(await freshPicture("asked.jpg"));
    const alert = visitor.page.getByRole("alert");
    await alert.waitFor();
    const said = await alert.innerText();
    expect(said).toContain("Quota exceeded");
    expect(said).toContain("The account's remaining lookup grant does not cover this request.");
    expect(said).toContain("Left: 1 registrations, 0 look-ups.");
    expect(visitor.faults).toEqual([]);
  });

  it("of a picture that is too large says what to do, to ask or to register", async () => {
    const visitor = await console.openSigned();
    const photo = await freshPicture("large.jpg");
    const large = { ...photo, buffer: Buffer.concat([photo.buffer, Buffer.alloc(MAX_IMAGE_BYTES)]) };
    await visitor.lookUp(large);
    await visitor.page.getByText("Look-ups recognise reduced pictures.").waitFor();
    await visitor.goTo("Register");
    await visitor.choose("Choose a file", large);
    await visitor.press("Register");
    await visitor.page.getByText("register that file, which is then the original").waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it("of a picture that is held already says by whom, as far as that is the caller's to know", async () => {
    const photo = await freshPicture("mine.jpg", 320, 240);
    const owner = await console.openSigned();
    const id = await owner.register(photo);
    await owner.goTo("Look up");
    await owner.goTo("Register");
    await owner.choose("Choose a file", await croppedCopy(photo, "crop.jpg"));
    await owner.press("Register");
    const alert = owner.page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.innerText()).toContain("The registration is your own");
    await alert.getByRole("link", { name: "take it down" }).click();
    expect(await owner.page.getByLabel("Find a hash or a registration's id").inputValue()).toBe(id);

    const stranger = await console.openSigned();
    await stranger.goTo("Register");
    await stranger.choose("Choose a file", photo);
    await stranger.press("Register");
    await stranger.page.getByRole("alert").waitFor();
    const said = await stranger.page.getByRole("alert").innerText();
    expect(said).toContain("another account registered the original");
    expect(said).not.toContain(id);
    expect([...owner.faults, ...stranger.faults]).toEqual([]);
  });

  it("of a busy service is counted down", async () => {
    const visitor = await console.openSigned();
    const { page } = visitor;
    const problem = {
      type: "urn:colophon:problem:image-could-not-be-checked-yet",
      title: "Image could not be checked yet",
      status: 503,
      detail: "This image could not be checked against registered originals yet.",
      traceId: "0123456789abcdef",
    };
    // Longer than the client waits by itself.
    let refused = 0;
    await page.route("**/inspect", (route) => {
      refused += 1;
      return refused > 1
        ? route.continue()
        : route.fulfill({
            status: 503,
            headers: { "retry-after": "121" },
            contentType: "application/problem+json",
            body: JSON.stringify(problem),
          });
    });
    await page.clock.install();
    await visitor.lookUp(await freshPicture("busy.jpg"));
    await page.getByRole("button", { name: /^Try again in 1[12]\d s$/ }).waitFor();
    await page.clock.runFor(125_000);
    await visitor.press("Try again");
    await visitor.heading("No match in this registry").waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it("of an unknown registration, and no answer at all, are told apart", async () => {
    const token = await console.token();
    const visitor = await console.open();
    const { page } = visitor;
    await visitor.signIn(token);
    const id = await visitor.register(await freshPicture("gone.jpg"));
    await visitor.goTo("Library");
    await visitor.button("Take down gone.jpg").waitFor();
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${console.baseUrl}/registrations/${id}`, { method: "DELETE", headers });
    const takeDown = async (): Promise<void> => {
      await visitor.press("Take down gone.jpg");
      await visitor.press("Take it down for good");
      await page.getByRole("alert").waitFor();
    };
    await takeDown();
    expect(await page.getByRole("alert").innerText()).toContain("Registration not found");
    await page.context().setOffline(true);
    await takeDown();
    await visitor.heading("No answer").waitFor();
    expect(visitor.faults).toEqual([]);
  });
});
