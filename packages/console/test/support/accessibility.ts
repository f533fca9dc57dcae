import axe from "axe-core";
import type { Page } from "playwright-core";

declare global {
  // Axe, once it was loaded into the page.
  var axe: { run(options: axe.RunOptions): Promise<axe.AxeResults> } | undefined;
}

export const PHONE = { width: 360, height: 740 } as const;
const DESKTOP = { width: 1180, height: 900 } as const;

/** What a page may look like. The last one is what it is left in. */
const APPEARANCES = [
  { colorScheme: "light", viewport: DESKTOP },
  { colorScheme: "dark", viewport: DESKTOP },
  { colorScheme: "light", viewport: PHONE },
  { colorScheme: "dark", viewport: PHONE },
] as const;

/** Windows in which nothing but the room changes. */
const WIDTHS = [2560, 768] as const;

/**
 * What is wrong with a page in the light and in the dark, at a desktop's and at a phone's width: what axe finds, each
 * rule with the elements that break it, what moves though the reader wants no motion, and, up to 2,560 pixels, what is
 * wider than the window. The page is left in the dark at a phone's width.
 */
export async function findingsInEveryAppearance(page: Page, place: string): Promise<string[]> {
  const found: string[] = [];
  await page.emulateMedia({ reducedMotion: "reduce" });
  const moving = await page.evaluate(() => document.getAnimations().length);
  if (moving > 0) found.push(`${place}: ${moving} animations`);
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...DESKTOP, width });
    const beyond = await overflow(page);
    if (beyond > 0) found.push(`${place}, ${width} px: ${beyond} px beyond the window`);
  }
  for (const { colorScheme, viewport } of APPEARANCES) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    const where = `${place}, ${colorScheme}, ${viewport.width} px`;
    for (const finding of await axeFindings(page)) found.push(`${where}: ${finding}`);
    const beyond = await overflow(page);
    if (beyond > 0) found.push(`${where}: ${beyond} px beyond the window`);
  }
  return found;
}

/** What is too faint to be read, element by element. */
export function contrastFindings(page: Page): Promise<string[]> {
  return axeFindings(page, { runOnly: ["color-contrast"] });
}

async function axeFindings(page: Page, wanted: Pick<axe.RunOptions, "runOnly"> = {}): Promise<string[]> {
  if (await page.evaluate(() => globalThis.axe === undefined)) await page.evaluate(axe.source);
  return page.evaluate(async (options) => {
    if (globalThis.axe === undefined) throw new Error("The page did not take axe.");
    // What passes is not described: that takes longer than finding it.
    const { violations } = await globalThis.axe.run({ resultTypes: ["violations"], ...options });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  }, wanted);
}

/** How many pixels the page is wider than its window, or its navigation wider than its row. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const rows = [document.documentElement, ...document.querySelectorAll("nav ul")];
    return Math.max(...rows.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });
}
