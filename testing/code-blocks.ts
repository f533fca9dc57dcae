/** A fenced block of a Markdown text. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
}

/** The fenced blocks of a Markdown text that name their language, in their order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  return Array.from(
    markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm),
    ([, language = "", code = ""]): CodeBlock => ({ language, code }),
  );
}
