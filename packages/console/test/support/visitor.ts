import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import type { GivenFile } from "./pictures.ts";

/** Somebody at the console: what a person does, by what a person sees. */
export class Visitor {
  readonly page: Page;
  /** What went wrong on the page: scripts that failed, and what the content security policy kept out. */
  readonly faults: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on("pageerror", (error) => this.faults.push(error.message));
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) this.faults.push(message.text());
    });
  }

  /** Signs in with an account's token, and waits for the first view. */
  async signIn(token: string): Promise<void> {
    const way = this.page.getByRole("link", { name: "Sign in", exact: true });
    const field = this.page.getByLabel("Token", { exact: true });
    await way.or(field).first().waitFor();
    if (!(await field.isVisible())) await way.click();
    await this.page.getByLabel("Token", { exact: true }).fill(token);
    await this.press("Sign in");
    await this.heading("Where does it come from?").waitFor();
  }

  /**
   * Opens a view by its name in the navigation, and waits until it is there: the one before has fields of the same
   * names.
   */
  async goTo(view: string): Promise<void> {
    const link = this.page.getByRole("navigation").getByRole("link", { name: view, exact: true });
    await link.click();
    await link.and(this.page.locator("[aria-current=page]")).waitFor();
  }

  heading(name: string): Locator {
    return this.page.getByRole("heading", { name, exact: true });
  }

  button(name: string): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  async press(name: string): Promise<void> {
    await this.button(name).click();
  }

  async choose(label: string, ...files: readonly GivenFile[]): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).setInputFiles([...files]);
  }

  /** Registers a picture with what the form asks; answers the registration's id. */
  async register(picture: GivenFile, fields: Readonly<Record<string, string>> = {}): Promise<string> {
    await this.goTo("Register");
    await this.choose("Choose a file", picture);
    for (const [label, text] of Object.entries(fields)) {
      await this.page.getByLabel(label, { exact: true }).fill(text);
    }
    await this.press("Register");
    await this.heading("Registered").waitFor();
    return this.page.locator("dd code").first().innerText();
  }

  async lookUp(picture: GivenFile): Promise<void> {
    await this.goTo("Look up");
    await this.choose("Choose a file", picture);
    await this.press("Look it up");
  }

  /** Looks a picture up that somebody holds, and reads the record. */
  async readRecordOf(picture: GivenFile): Promise<void> {
    await this.lookUp(picture);
    await this.press("Read the record");
    await this.page.locator(".verdict").waitFor();
  }

  /** The title of the verdict on the record shown. */
  verdict(): Promise<string> {
    return this.page.locator(".verdict strong").innerText();
  }

  /** Names of the checks that came out so, in the order shown. */
  async checks(result: string): Promise<string[]> {
    const found = await this.page.locator(`[data-result="${result}"]`).all();
    return Promise.all(found.map(async (one) => (await one.getAttribute("data-check")) ?? ""));
  }

  /** The text of the file that a button hands out. */
  async saved(button: string): Promise<string> {
    const [download] = await Promise.all([this.page.waitForEvent("download"), this.press(button)]);
    return readFile(await download.path(), "utf8");
  }

  /** A certificate of a record's chain as a file of its own; the last is the root, as its operator would publish it. */
  certificateOf(record: string, at: number): GivenFile {
    const { verification }: { verification: { certificateChain: string[] } } = JSON.parse(record);
    return {
      name: "certificate.pem",
      mimeType: "",
      buffer: Buffer.from(verification.certificateChain.at(at) ?? ""),
    };
  }
}
