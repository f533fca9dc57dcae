import { embeddedMetadata } from "@colophon/formats";
import type { WasmReader } from "@contentauth/c2pa-wasm";
import { type Action, actionsIn } from "./actions.ts";
import type { Report, ReportedIngredient, ReportedManifest, ReportedResults } from "./report.ts";
import { type Thumbnail, thumbnailOf } from "./thumbnail.ts";
import { type Finding, findingsOf } from "./validation-codes.ts";

/** A list of certificates that may vouch for signers, and for the time-stamping authorities that saw them sign. */
export interface TrustList {
  /** What a verdict names it by. */
  readonly name: string;
  readonly pem: string;
}

/** A C2PA manifest store, and what it is judged by. */
export interface CredentialsToJudge {
  readonly store: Uint8Array;
  /** The picture as its reader has it; null without one. */
  readonly file: Uint8Array | null;
  readonly lists: readonly TrustList[];
}

/** A picture that another was made from. */
export interface Ingredient {
  readonly title: string;
  /** `parentOf`, `componentOf`, `inputTo`: what it is to the picture. */
  readonly relationship: string | null;
  /** Whether it came with Content Credentials of its own. */
  readonly hasCredentials: boolean;
  readonly thumbnail: Thumbnail | null;
  /** What speaks against its own Content Credentials, and was not known when the picture was signed. */
  readonly findings: readonly Finding[];
}

/** What a C2PA manifest store says, and whether it holds. */
export interface CredentialsJudgement {
  readonly label: string;
  readonly generator: string;
  readonly title: string | null;
  /** Organisation and name in the signer's certificate. */
  readonly signer: string | null;
  /** When a time-stamping authority that a list vouches for saw the signature; null without one. */
  readonly signedAt: string | null;
  readonly actions: readonly Action[];
  readonly ingredients: readonly Ingredient[];
  readonly thumbnail: Thumbnail | null;
  /** Whether the picture's own bytes were looked at. */
  readonly isFileChecked: boolean;
  readonly trustedBy: readonly string[];
  readonly findings: readonly Finding[];
  readonly verdict: "trusted" | "unknownSigner" | "broken";
}

/** The library that validates, loaded by who asks: it is 9 MB of WebAssembly. */
export interface C2paLibrary {
  readonly WasmReader: Pick<typeof WasmReader, "fromBytes">;
}

const TRUSTED = "signingCredential.trusted";
const UNTRUSTED = "signingCredential.untrusted";
const TIME_TRUSTED = "timeStamp.trusted";
const SIGNED = "claimSignature.validated";
const UNSIGNED = "claimSignature.missing";
/** What fails of every store that is read without its file. */
const OF_THE_FILE = /^assertion\.(dataHash|boxesHash|bmffHash)\./;
const STORE = "application/c2pa";

/**
 * The library would fetch by itself what a file names: nobody but the user decides who learns what is looked at. What a
 * compressed manifest may grow to is bounded.
 */
const SETTINGS = {
  verify: { remote_manifest_fetch: false, ocsp_fetch: false, verify_trust: true },
  core: { max_decompressed_manifest_size_in_mb: 16 },
};

/**
 * Validates a C2PA manifest store as the C2PA specification says, without any connection: against its picture where the
 * file carries this same store, else by itself. Null for bytes that the library cannot read as a store.
 */
export async function judgeStore(
  library: C2paLibrary,
  { store, file, lists }: CredentialsToJudge,
): Promise<CredentialsJudgement | null> {
  const isFileChecked = file !== null && isSame(embeddedMetadata(file).c2paStore, store);
  const subject = isFileChecked ? { bytes: file, type: mediaTypeOf(file) } : { bytes: store, type: STORE };
  const usable: (TrustList & Vouched)[] = [];
  for (const list of lists) {
    const vouched = await readStore(library, subject, list.pem, vouchedBy);
    if (vouched !== null) usable.push({ ...list, ...vouched });
  }
  // Whoever stamped the time may be on another list than the signer, whose certificate may have expired since.
  const said = await readStore(library, subject, pemOf(usable), (report, resource) => {
    const { success = [], ...active } = report.validation_results?.activeManifest ?? {};
    const findings = findingsOf(failures(active, isFileChecked));
    if (findings.length === 0 && !success.some(({ code }) => code === SIGNED)) {
      findings.push(...findingsOf([{ code: UNSIGNED }]));
    }
    return { ...saidBy(report, resource), findings };
  });
  if (said === null) return null;
  const trustedBy: string[] = [];
  const authorities = usable.filter(({ forSigner, forTime }) => forTime && !forSigner);
  for (const list of usable) {
    const isEnough = list.forSigner || authorities.length === 0;
    const vouched = isEnough
      ? list
      : await readStore(library, subject, pemOf([list, ...authorities]), vouchedBy);
    if (vouched?.forSigner === true) trustedBy.push(list.name);
  }
  const isBroken = [said, ...said.ingredients].some(({ findings }) => findings.length > 0);
  const intact = trustedBy.length > 0 ? "trusted" : "unknownSigner";
  return { ...said, isFileChecked, trustedBy, verdict: isBroken ? "broken" : intact };
}

/**
 * For whom a list vouches by itself: for a signer whose certificate has expired it does together with the time alone.
 */
interface Vouched {
  readonly forSigner: boolean;
  readonly forTime: boolean;
}

function vouchedBy({ validation_results: results }: Report): Vouched {
  const codes = results?.activeManifest?.success?.map(({ code }) => code) ?? [];
  return { forSigner: codes.includes(TRUSTED), forTime: codes.includes(TIME_TRUSTED) };
}

/** The certificates of several lists; null for none. */
function pemOf(lists: readonly TrustList[]): string | null {
  return lists.length === 0 ? null : lists.map(({ pem }) => pem).join("\n");
}

type Said = Omit<CredentialsJudgement, "isFileChecked" | "trustedBy" | "findings" | "verdict">;
type ReadResource = (uri: string) => Uint8Array;

function saidBy(report: Report, resource: ReadResource): Said {
  const { active_manifest: label = "", manifests = {} } = report;
  const active: ReportedManifest = manifests[label] ?? {};
  const { signature_info: signature, assertions = [], ingredients = [] } = active;
  const [generator] = active.claim_generator_info ?? [];
  const signer = [signature?.issuer, signature?.common_name].filter((name) => name !== undefined);
  return {
    label,
    generator: [generator?.name ?? active.claim_generator, generator?.version].filter(Boolean).join(" "),
    title: active.title ?? null,
    signer: signer.length === 0 ? null : signer.join(", "),
    signedAt: vouchedBy(report).forTime ? (signature?.time ?? null) : null,
    actions: assertions.flatMap(({ data }) => actionsIn(data)),
    ingredients: ingredients.map((ingredient) => ({
      title: ingredient.title ?? "without a title",
      relationship: ingredient.relationship ?? null,
      hasCredentials: ingredient.active_manifest !== undefined,
      thumbnail: thumbnailOf(ingredient.thumbnail, resource),
      findings: findingsOf(ingredientFailures(report, ingredient)),
    })),
    thumbnail: thumbnailOf(active.thumbnail, resource),
  };
}

/** What fails of an ingredient of the active manifest and was not known when that was signed. */
function ingredientFailures(
  { active_manifest: active = "", validation_results: results }: Report,
  { label = "" }: ReportedIngredient,
): ReturnType<typeof failures> {
  const own = `/${active}/c2pa.assertions/${label}`;
  const deltas = results?.ingredientDeltas?.filter(({ ingredientAssertionURI: uri = "" }) =>
    uri.endsWith(own),
  );
  return (deltas ?? []).flatMap(({ validationDeltas = {} }) => failures(validationDeltas, true));
}

function failures(
  { failure = [] }: ReportedResults,
  isFileChecked: boolean,
): NonNullable<ReportedResults["failure"]> {
  return failure.filter(({ code }) => code !== UNTRUSTED && (isFileChecked || !OF_THE_FILE.test(code)));
}

/** What `use` makes of the library's report; null where it cannot read the bytes. @param anchors PEM; null for none */
async function readStore<T>(
  { WasmReader: Reader }: C2paLibrary,
  { bytes, type }: { bytes: Uint8Array; type: string },
  anchors: string | null,
  use: (report: Report, resource: ReadResource) => T,
): Promise<T | null> {
  const trust = anchors === null ? {} : { trust: { trust_anchors: anchors } };
  const reader = await Reader.fromBytes(type, bytes, JSON.stringify({ ...SETTINGS, ...trust })).catch(
    () => null,
  );
  if (reader === null) return null;
  try {
    const report: Report = JSON.parse(reader.json());
    return use(report, (uri) => reader.resourceToBytes(uri));
  } finally {
    reader.free();
  }
}

function isSame(one: Uint8Array | null, other: Uint8Array): boolean {
  return one !== null && one.length === other.length && one.every((byte, at) => byte === other[at]);
}

function mediaTypeOf(file: Uint8Array): string {
  if (file[0] === 0xff) return "image/jpeg";
  return file[0] === 0x89 ? "image/png" : "image/webp";
}
