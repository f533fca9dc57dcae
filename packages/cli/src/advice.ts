/** What a service takes as it comes; test/advice.test.ts holds it against the defaults. */
const PICTURES =
  "Unless its operator set other limits, a service takes JPEG, PNG and WebP pictures of up to 64 MiB and 200 million pixels. Look-ups recognise smaller copies.";
const ALLOWANCE =
  "An allowance is for life: colophon stats shows what is left, and the operator can raise it.";

/** What to do about what the service says of a picture or of the account, by its sentences. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^Unsupported image|no accepted type|per-image size cap|ImageUndecodable|ImageTooManyPixels|registered originals\.$/,
    PICTURES,
  ],
  [/remaining \w+ grant/, ALLOWANCE],
];

/** What to do about these sentences of the service, each advice once. */
export function adviceOn(sentences: readonly (string | null)[]): string[] {
  return ADVICE.filter(([about]) => sentences.some((one) => one !== null && about.test(one))).map(
    ([, advice]) => advice,
  );
}
