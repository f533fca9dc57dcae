import { writeFile } from "node:fs/promises";
import { ColophonError, placeInWords } from "@colophon/client";
import type { Inspection } from "@colophon/contract";
import { ACCOUNT_OPTIONS, accountClient, TOKEN_DETAILS } from "../settings/account-options.ts";
import { type Command, operand, textOption } from "../command.ts";
import { EXIT, Failure } from "../failure.ts";
import { assertWritable, fileFault } from "../file-faults.ts";
import { placesAsSvg, placesAsText } from "../place-drawings.ts";
import { printJson, printLine } from "../print.ts";
import { wantsJson } from "../settings/service-options.ts";
import { queriedImages, STANDARD_INPUT_DETAILS } from "../input/standard-input.ts";
import { printable, shown } from "../shown.ts";

type Match = Inspection["matches"][number];

/** Shows where registered originals lie in one image. */
export const inspect: Command = {
  words: ["inspect"],
  operands: ["FILE|-"],
  summary: "Show where in an image registered originals lie, and which part of each shows",
  details: [
    `One image, for the price of a look-up. ${STANDARD_INPUT_DETAILS} The outlines are drawn with their numbers; with --svg`,
    "they are drawn on the image itself, in a file for your browser. The exit code is 5 when nobody holds an original of it.",
    TOKEN_DETAILS,
  ].join("\n"),
  options: {
    svg: { placeholder: "FILE", summary: "Write the image with the outlines on it as an SVG" },
    ...ACCOUNT_OPTIONS,
  },
  run: async (invocation) => {
    const client = await accountClient(invocation);
    const svg = textOption(invocation, "svg");
    if (svg !== undefined) await assertWritable(svg);
    const [query, another] = await queriedImages(invocation.operands);
    if (query === undefined || another !== undefined) {
      throw Failure.usage(`inspect takes one image, and ${shown(operand(invocation, 0))} names several.`);
    }
    const inspection = await client.inspect(query.image).catch((error: unknown) => {
      const isOff = error instanceof ColophonError && error.is("notFound");
      throw isOff ? Failure.usage("This service does not tell places; colophon lookup asks it.") : error;
    });
    if (wantsJson(invocation)) printJson(inspection);
    else for (const line of described(query.name, inspection)) printLine(printable(line));
    if (!inspection.matched) process.exitCode = EXIT.negative;
    if (svg !== undefined) await write(svg, await placesAsSvg(inspection, query.image));
  },
};

function described(name: string, inspection: Inspection): string[] {
  const { width, height, matches } = inspection;
  const title = `${name}, ${width} x ${height} pixels`;
  if (matches.length === 0) return [`${title}: no match in this registry.`];
  return [title, ...placesAsText(inspection), ...matches.flatMap(explained)];
}

function explained(match: Match, at: number): string[] {
  const { originalImageHash, originalWidth, originalHeight } = match;
  return [
    "",
    `${at + 1}. ${placeInWords(match)}`,
    `   Original: ${originalWidth} x ${originalHeight} pixels, ${ownership(match)}.`,
    `   colophon record ${originalImageHash}`,
  ];
}

function ownership({ own }: Match): string {
  if (own === null) return "another account's";
  if (own.kind === "frame") return `yours, frame ${own.frameId} of sequence ${own.sequenceId}`;
  return `yours, registration ${own.registrationId}`;
}

async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: unknown) => {
    throw fileFault(path, "written", error);
  });
}
