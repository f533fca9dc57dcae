import type { Visitor } from "./visitor.ts";

/** What the element that has the focus is called. */
export function focusedLabel({ page }: Visitor): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : null;
    return (element?.getAttribute("aria-label") ?? label?.textContent ?? element?.textContent ?? "").trim();
  });
}

/** Tabs on until what has the focus has this name. */
export async function tabTo(visitor: Visitor, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await visitor.page.keyboard.press("Tab");
    const label = await focusedLabel(visitor);
    if (typeof name === "string" ? label === name : name.test(label)) return;
  }
  throw new Error(`Tab never came to ${String(name)}.`);
}
