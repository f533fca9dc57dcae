import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newSigner, signPicture } from "@colophon/testing/credentials/content-credentials.ts";
import { wrapJson } from "@colophon/formats";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findingsInEveryAppearance } from "./support/accessibility.ts";
import { ConsoleUnderTest } from "./support/console-under-test.ts";
import { c2paStore } from "./support/containers.ts";
import { creditedTo, croppedCopy, freshPicture, type GivenFile } from "./support/pictures.ts";
import { startWitness, type Witness } from "./support/witness.ts";

let console: ConsoleUnderTest;
let witness: Witness;

/** A JSON file as a visitor may have kept it. */
function kept(text: string, name: string): GivenFile {
  return { name, mimeType: "application/json", buffer: Buffer.from(text) };
}

beforeAll(async () => {
  witness = await startWitness("witness.test/one");
  console = await ConsoleUnderTest.start({
    COLOPHON_PUBLIC: "lookups",
    COLOPHON_WITNESSES: witness.setting,
  });
});

afterAll(async () => {
  await console[Symbol.asyncDispose]();
  await witness[Symbol.asyncDispose]();
});

describe("a picture's way through the console", () => {
  it("is the same under a name that tells no type", async () => {
    const visitor = await console.openSigned();
    const { page } = visitor;
    // On a disk: a browser is what makes types of names.
    const folder = await mkdtemp(join(tmpdir(), "colophon-nameless-"));
    const [scan, misnamed, notes] = [join(folder, "scan"), join(folder, "scan.gif"), join(folder, "notes")];
    const { buffer } = await freshPicture("scan");
    for (const path of [scan, misnamed]) await writeFile(path, buffer);
    await writeFile(notes, "no picture");
    await visitor.goTo("Register");
    await page.getByLabel("Choose a file", { exact: true }).setInputFiles(scan);
    await visitor.press("Register");
    await visitor.heading("Registered").waitFor();
    await visitor.goTo("Look up");
    await page.getByLabel("Choose a file", { exact: true }).setInputFiles(scan);
    await visitor.press("Look it up");
    await page.getByRole("link", { name: "your library", exact: true }).waitFor();

    await visitor.goTo("Batch");
    await page.getByLabel("Choose files", { exact: true }).setInputFiles([scan, misnamed, notes]);
    await page.getByText("1 file left out: no pictures.").waitFor();
    await visitor.press("Look all up");
    await visitor.button("New batch").waitFor();
    expect(await page.locator(".batch-table .state").allInnerTexts()).toEqual(["match", "match"]);
    expect(await page.locator(".tally li").allInnerTexts()).toEqual(["1 match", "1 the same again"]);
    await rm(folder, { recursive: true });
  });

  it("is registered with manifests, found by a crop, verified step by step, and taken down", async () => {
    const visitor = await console.openSigned();
    const { page } = visitor;
    const photo = await freshPicture("harbour.jpg", 320, 240);
    await visitor.goTo("Register");
    await visitor.choose("Add manifest files", c2paStore("store.c2pa"));
    await page.getByLabel("Kind", { exact: true }).fill("c2pa.manifest-store");
    const id = await visitor.register(photo, { Creator: "Ada Quist", Licence: "CC BY 4.0" });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);

    await visitor.readRecordOf(await croppedCopy(photo, "repost.jpg"));
    const own = page.getByRole("link", { name: "your library", exact: true });
    expect(await own.getAttribute("href")).toBe(`#/library/${id}`);
    await expect.poll(() => visitor.verdict()).toBe("Verified");
    await page.getByText("leads to the root of this registry").waitFor();
    expect(await visitor.checks("failed")).toEqual([]);
    expect(await visitor.checks("notChecked")).toEqual(["originalFile"]);
    await page.getByText(/\d checks passed, 1 not checked\. The original file was not given\.$/).waitFor();
    const manifests = page.locator(".record .manifest");
    expect(await manifests.nth(0).innerText()).toMatch(/credit[^]*creator Ada Quist[^]*licence CC BY 4.0/);
    const store = await manifests.nth(1).innerText();
    for (const said of [
      "c2pa C2PA manifest store",
      "c2pa.assertions Assertion store",
      "stds.schema-org.CreativeWork JSON",
      "name Ada Quist",
      "action c2pa.created",
      "c2pa.claim.v2 Claim",
      "dc:format image/jpeg",
      "c2pa.signature Claim signature",
    ]) {
      expect(store).toContain(said);
    }
    await expect.poll(() => page.locator(".certificates li h4").count()).toBe(3);

    const record = await visitor.saved("Save the record as JSON");
    await page.getByText("Who vouches for it").click();
    await visitor.choose("Load another root", visitor.certificateOf(record, -2));
    await expect.poll(() => visitor.verdict()).toBe("Another registry's");
    await visitor.choose("Load another root", visitor.certificateOf(record, -1));
    await page.getByText("Compared with the root you loaded").waitFor();
    await expect.poll(() => visitor.verdict()).toBe("Verified");
    await visitor.press("Forget it");

    await visitor.readRecordOf(photo);
    await expect.poll(() => visitor.verdict()).toBe("Verified");
    expect(await visitor.checks("notChecked")).toEqual([]);
    await page.getByText(/ (\d+) of \1 checks passed\.$/).waitFor();

    await visitor.goTo("Library");
    await visitor.press("Take down harbour.jpg");
    await visitor.press("Keep it");
    await visitor.press("Take down harbour.jpg");
    await visitor.press("Take it down for good");
    await page.getByText("Taken down:").waitFor();
    expect(await page.locator(".notice").innerText()).toContain(id);
    await visitor.lookUp(photo);
    await visitor.heading("No match in this registry").waitFor();
    await visitor.goTo("Verify");
    await visitor.choose("I have the original", photo);
    await visitor.press("Read the record");
    await page.getByText("This record was taken down. The registry does not say by whom or why.").waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it("shows of a manifest with more values than a page takes what it is, and hands it out", async () => {
    const visitor = await console.openSigned();
    const photo = await freshPicture("quay.jpg");
    const values = Array.from({ length: 25_000 }, () => "[]").join();
    const text = `{"a":[${values}]}`;
    const boxes = wrapJson("many", Buffer.from(text));
    await visitor.goTo("Register");
    await visitor.choose("Add manifest files", kept(text, "listed.json"), {
      name: "boxed.jumbf",
      mimeType: "application/jumbf",
      buffer: Buffer.from(boxes),
    });
    await visitor.register(photo);
    await visitor.readRecordOf(photo);
    const manifests = visitor.page.locator(".record .manifest");
    expect(await manifests.nth(0).innerText()).toContain("This manifest cannot be shown as a tree.");
    expect(await manifests.nth(1).innerText()).toMatch(/many[^]*… \(\d+ bytes\)$/);
    expect(await visitor.saved("Save manifest listed")).toBe(text);
    expect(visitor.faults).toEqual([]);
  });

  it("says of a tampered record which check fails, and of manifests gives the very bytes", async () => {
    const visitor = await console.openSigned();
    const photo = await freshPicture("quay.jpg");
    const manifest =
      '{ "creator" : "Ada Quist",\t"year": 2026.0, "id": 9007199254740993, "by": "A", "by": "B" }';
    await visitor.goTo("Register");
    await visitor.choose("Add manifest files", kept(manifest, "caption.json"));
    await visitor.register(photo);
    await visitor.readRecordOf(photo);
    expect(await visitor.saved("Save manifest caption")).toBe(manifest);
    const said = await visitor.page.locator(".record .manifest").innerText();
    expect(said).toMatch(/year 2026\.0\s+id 9007199254740993\s+by B/);
    expect(said).toContain("It names members twice.");
    const record = await visitor.saved("Save the record as JSON");
    await visitor.goTo("Verify");
    await visitor.choose("I kept the record", kept(record, "record.json"));
    await visitor.heading("record.json").waitFor();
    await expect.poll(() => visitor.verdict()).toBe("Verified");
    await visitor.choose(
      "I kept the record",
      kept(record.replace("Ada Quist", "Eve Quist"), "tampered.json"),
    );
    await visitor.heading("tampered.json").waitFor();
    await expect.poll(() => visitor.verdict()).toBe("Does not hold");
    expect(await visitor.checks("failed")).toEqual(["manifestHash"]);
    await visitor.page.getByText("A record that was only reformatted fails too").waitFor();
    await visitor.choose(
      "I kept the record",
      kept(record.replace(/"signedAtUtc":"20/, '"signedAtUtc":"19'), "old.json"),
    );
    await visitor.heading("old.json").waitFor();
    const expected = ["recordDigest", "leafPeriod", ...Array<string>(3).fill("certificateValidity")];
    expect(await visitor.checks("failed")).toEqual(expected);
    const { manifests: _, verification, ...rest } = JSON.parse(record);
    const stripped = { ...rest, manifests: [], verification: { ...verification, collectionSignature: null } };
    await visitor.choose("I kept the record", kept(JSON.stringify(stripped), "stripped.json"));
    await visitor.heading("stripped.json").waitFor();
    await expect.poll(() => visitor.verdict()).toBe("Does not hold");
    expect(await visitor.checks("failed")).toEqual(["recordDigest"]);
    await visitor.choose("I kept the record", kept("{}", "empty.json"));
    await visitor.page.getByText("That file is not a record").waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it("is taken by a view that has only just come", async () => {
    const visitor = await console.openSigned();
    await visitor.page.evaluate(() => {
      const main = document.querySelector("main");
      if (main === null) throw new Error("The console has no main part.");
      // Told before the page is painted: no reader is faster.
      const watch = new MutationObserver(() => {
        const input = main.querySelector<HTMLInputElement>("input[accept*=json]");
        if (input === null) return;
        watch.disconnect();
        const transfer = new DataTransfer();
        transfer.items.add(new File(["{}"], "early.json", { type: "application/json" }));
        input.files = transfer.files;
        input.dispatchEvent(new Event("change", { bubbles: true }));
      });
      watch.observe(main, { childList: true, subtree: true });
      location.hash = "#/records";
    });
    await visitor.heading("early.json").waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it("is read by the original's hash, which is computed here", async () => {
    const visitor = await console.openSigned();
    const photo = await freshPicture("pier.jpg");
    await visitor.register(photo);
    await visitor.goTo("Verify");
    const sent: string[] = [];
    visitor.page.on("request", (request) =>
      sent.push(`${request.method()} ${new URL(request.url()).pathname}`),
    );
    await visitor.choose("I have the original", photo);
    await visitor.press("Read the record");
    await visitor.page.locator(".verdict").waitFor();
    expect(await visitor.checks("notChecked")).toEqual([]);
    expect(sent.filter((one) => !one.startsWith("GET "))).toEqual([]);
    expect(sent[0]).toMatch(/^GET \/records\/[0-9a-f]{64}$/);
    await visitor.choose("I have the original", await freshPicture("other.jpg"));
    await visitor.press("Read the record");
    await visitor.page.getByText("Nothing is known of this hash").waitFor();
    await visitor.page.getByLabel("The original's hash").fill("no hash");
    await visitor.press("Find it");
    await visitor.page.getByText("That is not a hash").waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it("is looked up and verified by anyone, and seen by the witnesses of the log", async () => {
    const photo = await freshPicture("harbour.jpg", 320, 240);
    await (await console.openSigned()).register(photo, { Creator: "Ada Quist" });
    const checkpoint = async (): Promise<string> => (await fetch(`${console.baseUrl}/log/checkpoint`)).text();
    await expect.poll(checkpoint).toContain("— witness.test/one ");

    const visitor = await console.open();
    const { page } = visitor;
    const open = (): Promise<string[]> => page.getByRole("navigation").getByRole("link").allInnerTexts();
    await expect.poll(open).toEqual(["Look up", "Verify"]);
    await visitor.lookUp(await croppedCopy(photo, "repost.jpg"));
    await visitor.heading("One original found").waitFor();
    await expect.poll(() => visitor.verdict()).toBe("Verified");
    await page.getByText(/^since .* UTC, entry \d+, seen by 1 witness$/).waitFor();
    expect(await page.getByRole("main").innerText()).not.toMatch(/Costs|Another account|yours/);
    await page.goto(`${console.baseUrl}/console/#/library`);
    await page.getByLabel("Token", { exact: true }).fill(await console.token());
    await visitor.press("Sign in");
    await visitor.heading("What is yours").waitFor();
    expect(visitor.faults).toEqual([]);

    const unwitnessed = await console.open();
    const configuration = { reads: "lookups", trustRoot: null, witnesses: [] };
    await unwitnessed.page.route("**/configuration.json", (route) => route.fulfill({ json: configuration }));
    await unwitnessed.page.reload();
    await unwitnessed.lookUp(photo);
    await unwitnessed.page.getByText(/, seen by no witness: this registry has none$/).waitFor();
    expect(unwitnessed.faults).toEqual([]);
  });

  it("can be pasted or dropped", async () => {
    const visitor = await console.openSigned();
    const { page } = visitor;
    const photo = await freshPicture("pasted.jpg");
    for (const way of ["paste", "drop"] as const) {
      await page.evaluate(
        ({ base64, kind }) => {
          const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
          const transfer = new DataTransfer();
          transfer.items.add(new File([bytes], `${kind}.jpg`, { type: "image/jpeg" }));
          const event =
            kind === "paste"
              ? new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true })
              : new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
          document.querySelector(".drop-zone")?.dispatchEvent(event);
        },
        { base64: photo.buffer.toString("base64"), kind: way },
      );
      await page.getByText(`${way}.jpg`).waitFor();
      await visitor.press("Look it up");
      await visitor.heading("No match in this registry").waitFor();
    }
    expect(visitor.faults).toEqual([]);
  });
});

describe("what a picture says about itself", () => {
  it("goes along, is recovered from a crop, and judged in the browser by the reader's lists", async () => {
    const visitor = await console.openSigned();
    const { page } = visitor;
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    const signer = newSigner("HarbourPress");
    const plain = await freshPicture("signed.jpg", 320, 240);
    const thumbnail = Uint8Array.from(await sharp(plain.buffer).resize(40).jpeg().toBuffer());
    const bytes = Uint8Array.from(plain.buffer);
    const { file, store } = await signPicture(bytes, "image/jpeg", signer, { thumbnail });
    const signed = { ...plain, buffer: Buffer.from(file) };
    await visitor.goTo("Register");
    await visitor.choose("Choose a file", signed);
    expect(await page.getByLabel(/^Its Content Credentials \(C2PA\), \d+ kB$/).isChecked()).toBe(true);
    await visitor.press("Register");
    await visitor.heading("Registered").waitFor();

    await visitor.lookUp(await croppedCopy(signed, "crop.jpg"));
    await visitor.heading("Its Content Credentials, recovered").waitFor();
    expect(loaded.filter((path) => path.endsWith(".wasm"))).toEqual([]);
    await visitor.press("Open the credentials");
    const opened = page.getByRole("region", { name: "Content Credentials" });
    await opened.getByText("The credentials hold").waitFor();
    await page.getByText(/^In the log since .* UTC, entry \d+\.$/).waitFor();
    const said = await opened.innerText();
    for (const words of [
      "No list that you have loaded vouches for who signed them",
      "HarbourPress, Desk",
      "Colophon tests 1",
      "Created by a digital camera",
      "not checked against the file",
    ]) {
      expect(said).toContain(words);
    }
    await opened.getByAltText("Thumbnail in the credentials of harbour.jpg").waitFor();
    expect(await findingsInEveryAppearance(page, "opened credentials")).toEqual([]);
    const lists = [newSigner("Another").root, signer.root].map((pem, at) => ({
      name: `list-${at}.pem`,
      mimeType: "",
      buffer: Buffer.from(pem),
    }));
    await visitor.choose("Load lists of signers", ...lists);
    await opened.getByText("A list that you trust vouches for who signed them: list-1.pem").waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: /^Download \.c2pa of urn:c2pa:/ }).click();
    expect(await readFile(await (await download).path())).toEqual(Buffer.from(store));

    await visitor.readRecordOf(signed);
    await page.locator(".record").getByRole("button", { name: "Open the credentials" }).click();
    await page.getByText("checked: it is the file that was signed.").waitFor();
    expect(loaded.filter((path) => path.endsWith(".wasm")).length).toBeGreaterThan(0);
    expect(visitor.faults).toEqual([]);
  });

  it("stays where it is when the reader says so; a credit line is offered in words", async () => {
    const visitor = await console.openSigned();
    const { page } = visitor;
    const plain = await freshPicture("credited.jpg");
    const credited = await creditedTo("Harbour Press", plain);
    await visitor.goTo("Register");
    await visitor.choose("Choose a file", credited);
    await page.getByLabel("Its credit line: credit").uncheck();
    await visitor.press("Register");
    await visitor.heading("Registered").waitFor();
    await visitor.readRecordOf(credited);
    await page.getByText("The record comes without any manifest.").waitFor();
    expect(visitor.faults).toEqual([]);
  });
});
