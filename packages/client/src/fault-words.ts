const UNREADABLE = "The picture cannot be read: the file is damaged, holds no picture, or is too large.";
/** What stands before the engine's own words. */
const ENGINE_NAME = /^The engine .*: \w+\. /;
const UNREADABLE_REASONS = /: ImageUndecodable\.|could not be checked against registered originals\.$/;

/**
 * Why the service did not take a picture, in one sentence where its routes have several.
 *
 * @example
 * const { items } = await lookUpAll(client, [photo]);
 * for (const { name, rejectionReason } of items) console.log(name, faultInWords(rejectionReason ?? "taken"));
 */
export function faultInWords(reason: string): string {
  return UNREADABLE_REASONS.test(reason) ? UNREADABLE : reason.replace(ENGINE_NAME, "");
}
