import { basename } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import type { ConsoleUnderTest } from "../../packages/console/test/support/console-under-test.ts";
import type { Visitor } from "../../packages/console/test/support/visitor.ts";

/**
 * The style that the driver adds before a picture in Firefox, by its digest in what the content security policy says.
 */
const OF_THE_DRIVER = "sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA=";
/** Longer pages are cut: what stands below is looked at in a step of its own. */
const LONGEST_PAGE = 4000;

/** Somebody on the way through the console who keeps a picture of every step. */
export class Traveller {
  readonly service: ConsoleUnderTest;
  readonly visitor: Visitor;
  /** What is wider than its window, and what failed. */
  readonly findings: string[] = [];
  steps = 0;
  readonly #pictures: string;

  private constructor(service: ConsoleUnderTest, visitor: Visitor, pictures: string) {
    this.service = service;
    this.visitor = visitor;
    this.#pictures = pictures;
  }

  /** @param pictures how the paths of the pictures begin */
  static async start(
    service: ConsoleUnderTest,
    pictures: string,
    options: BrowserContextOptions,
  ): Promise<Traveller> {
    return new Traveller(service, await service.open(options), pictures);
  }

  /** Keeps the page as it is now, whole. */
  async step(name: string): Promise<void> {
    const { page, faults } = this.visitor;
    this.steps += 1;
    const place = `${basename(this.#pictures)} ${this.steps} ${name}`;
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (beyond > 0) this.findings.push(`${place}: ${beyond} px beyond the window`);
    const own = faults.splice(0).filter((fault) => !fault.includes(OF_THE_DRIVER));
    for (const fault of own) this.findings.push(`${place}: ${fault}`);
    const { width, height } = await page.evaluate(() => ({
      width: document.documentElement.clientWidth,
      height: document.documentElement.scrollHeight,
    }));
    const path = `${this.#pictures}-${String(this.steps).padStart(2, "0")}-${name}.png`;
    const clip = { x: 0, y: 0, width, height: Math.min(height, LONGEST_PAGE) };
    // The driver hides the caret with a style of its own, which the content security policy refuses.
    await page.screenshot({ path, fullPage: true, clip, caret: "initial" });
  }
}
