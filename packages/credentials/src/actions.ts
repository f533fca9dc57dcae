import { memberIn } from "./member.ts";

/** What the actions of C2PA (specification 2.4, chapter 18) did, in words. */
const ACTION_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "c2pa.addedText": "Text added",
    "c2pa.adjustedColor": "Tones and colours adjusted",
    "c2pa.changedSpeed": "Speed changed",
    "c2pa.color_adjustments": "Tones and colours adjusted",
    "c2pa.converted": "Converted to another format",
    "c2pa.created": "Created",
    "c2pa.cropped": "Cropped",
    "c2pa.deleted": "Parts deleted",
    "c2pa.drawing": "Drawn on",
    "c2pa.dubbed": "Dubbed",
    "c2pa.edited": "Edited",
    "c2pa.edited.metadata": "Metadata edited",
    "c2pa.enhanced": "Enhanced",
    "c2pa.filtered": "Filtered",
    "c2pa.opened": "Opened",
    "c2pa.orientation": "Turned or mirrored",
    "c2pa.placed": "Another picture placed in it",
    "c2pa.published": "Published",
    "c2pa.redacted": "Statements removed",
    "c2pa.removed": "A picture removed from it",
    "c2pa.repackaged": "Packaged again",
    "c2pa.resized": "Resized",
    "c2pa.transcoded": "Encoded again",
    "c2pa.translated": "Translated",
    "c2pa.trimmed": "Trimmed",
    "c2pa.unknown": "Something unknown done",
    "c2pa.watermarked": "Watermarked",
    "c2pa.watermarked.bound": "Watermarked",
    "c2pa.watermarked.unbound": "Watermarked",
  }),
);

/** IPTC's digital source types, in words. */
const SOURCE_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    algorithmicMedia: "by an algorithm without training data",
    algorithmicallyEnhanced: "enhanced by an algorithm",
    compositeCapture: "of several photographs",
    compositeSynthetic: "of parts of which some are synthetic",
    compositeWithTrainedAlgorithmicMedia: "with parts that generative AI made",
    computationalCapture: "by a camera from several exposures",
    dataDrivenMedia: "from data",
    digitalArt: "by hand, with digital tools",
    digitalCapture: "by a digital camera",
    digitalCreation: "by hand, with digital tools",
    humanEdits: "by hand",
    minorHumanEdits: "by hand, in small ways",
    negativeFilm: "from a negative",
    positiveFilm: "from a slide",
    print: "from a print",
    screenCapture: "from a screen",
    trainedAlgorithmicMedia: "by generative AI",
    virtualRecording: "from a virtual scene",
  }),
);

/** Something done to a picture: C2PA's name for it, and what that means. */
export interface Action {
  readonly code: string;
  readonly sentence: string;
}

/** The actions that an assertion names: its signer wrote whatever it liked there, and what is no action is left out. */
export function actionsIn(data: unknown): Action[] {
  const actions = memberIn(data, "actions");
  return Array.isArray(actions) ? actions.flatMap(actionInWords) : [];
}

/** An action in words; one that the standard does not name keeps its name. */
function actionInWords(reported: unknown): Action | [] {
  const code = memberIn(reported, "action");
  if (typeof code !== "string") return [];
  const words = ACTION_WORDS.get(code) ?? code;
  const type = memberIn(reported, "digitalSourceType");
  const source =
    typeof type === "string" ? SOURCE_WORDS.get(type.slice(type.lastIndexOf("/") + 1)) : undefined;
  return { code, sentence: source === undefined ? words : `${words} ${source}` };
}
