import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AccountSettings } from "@colophon/contract";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { createAccount } from "@colophon/testing/api-client.ts";
import { SELDOM_SWEPT, ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";
import { launchChromium } from "@colophon/testing/chromium.ts";
import { Visitor } from "./visitor.ts";

const ADMIN_TOKEN = "console-test-operator-token-0123456789";
/** A machine that has other work lets a page wait. */
const PATIENCE_MS = 150_000;
const DESKTOP = { width: 1180, height: 900 };

/** A service with its console, and a real browser to use it with. */
export class ConsoleUnderTest implements AsyncDisposable {
  readonly adminToken = ADMIN_TOKEN;
  readonly baseUrl: string;
  readonly #browser: Browser;
  readonly #started: AsyncDisposableStack;

  private constructor(baseUrl: string, browser: Browser, started: AsyncDisposableStack) {
    this.baseUrl = baseUrl;
    this.#browser = browser;
    this.#started = started;
  }

  /** Starts a service of its own with these settings, and the browser. */
  static async start(
    settings: Readonly<Record<string, string>> = {},
    launch: () => Promise<Browser> = launchChromium,
  ): Promise<ConsoleUnderTest> {
    await using started = new AsyncDisposableStack();
    const dataDir = await mkdtemp(join(tmpdir(), "colophon-console-"));
    started.defer(() => rm(dataDir, { recursive: true, force: true }));
    const environment = { ...serviceEnvironment(dataDir, ADMIN_TOKEN), ...SELDOM_SWEPT, ...settings };
    const { baseUrl } = started.use(await ServiceProcess.start(environment));
    const browser = await launch();
    started.defer(() => browser.close());
    return new ConsoleUnderTest(baseUrl, browser, started.move());
  }

  /** A token of a new account with these grants. */
  async token(settings: AccountSettings = { registrations: 500, lookups: 500 }): Promise<string> {
    return (await createAccount(this.baseUrl, this.adminToken, settings)).token;
  }

  /** A visitor at the console's first page, in a browser window of its own; nobody is signed in. */
  async open(options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await this.#browser.newContext({ viewport: DESKTOP, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    const visitor = new Visitor(await context.newPage());
    await visitor.page.goto(`${this.baseUrl}/console/`);
    return visitor;
  }

  /** A visitor who has signed in with a token of a new account. */
  async openSigned(settings?: AccountSettings, options: BrowserContextOptions = {}): Promise<Visitor> {
    const visitor = await this.open(options);
    await visitor.signIn(await this.token(settings));
    return visitor;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#started.disposeAsync();
  }
}
