import { expect, it } from "vitest";
import { wrapProse } from "../tools/wrap-prose.ts";

const LONG = "word ".repeat(30).trim();
const WIDE = `${LONG.slice(0, 109)}\n${LONG.slice(110)}`;

it("wraps paragraphs, items and quotations at 110 columns, and joins short lines", () => {
  expect(wrapProse(LONG)).toBe(WIDE);
  expect(wrapProse("one\ntwo\n\nthree\n")).toBe("one two\n\nthree\n");
  expect(wrapProse("- one\n  two\n- three\n")).toBe("- one two\n- three\n");
  expect(wrapProse(`1. ${LONG}`).split("\n")[1]).toMatch(/^ {3}word/);
  expect(wrapProse(`> ${LONG}`).split("\n")[1]).toMatch(/^> word/);
});

it("leaves code, tables, headings, links and hard breaks as they are", () => {
  const kept = [
    `# ${LONG}`,
    `| ${LONG} |`,
    `\`\`\`sh\n${LONG}\n\n- a\nb\n\`\`\``,
    `- item:\n\n  \`\`\`\n  ${LONG}\n  \`\`\``,
    "one  \ntwo",
    `<p>\n<!-- ${LONG} -->`,
    `[name]: https://example.org/${LONG}`,
  ];
  for (const text of kept) expect(wrapProse(text)).toBe(text);
  const code = `\`${LONG.slice(0, 60)}\``;
  expect(wrapProse(`${LONG.slice(0, 79)} ${code}`)).toBe(`${LONG.slice(0, 79)}\n${code}`);
});

it("begins no line with what would make it an item, and changes nothing twice", () => {
  const sum = `${LONG.slice(0, 109)} 1. and - more`;
  expect(wrapProse(sum)).not.toMatch(/^(1\.|-) /m);
  expect(wrapProse(wrapProse(sum))).toBe(wrapProse(sum));
});
