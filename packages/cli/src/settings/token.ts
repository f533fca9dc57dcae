import { Failure } from "../failure.ts";

/** What a header carries as it is: printable ASCII without spaces. */
const ONE_WORD = /^[\x21-\x7e]+$/;

/**
 * A token that can be sent.
 * @param place what holds it, for the message, which never quotes it
 * @throws Failure (usage)
 */
export function sendableToken(text: string, place: string): string {
  if (ONE_WORD.test(text)) return text;
  throw Failure.usage(`${place} holds no token: that is one word of printable ASCII characters.`);
}
