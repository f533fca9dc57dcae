import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { embeddedMetadata } from "@colophon/formats";
import { CODE_SENTENCES } from "./validation-codes.ts";

/** A list of certificates that may vouch for signers. */
export interface TrustList {
  /** What a verdict names it by. */
  readonly name: string;
  readonly pem: string;
}

/** What speaks against a manifest: a validation code of C2PA, and what it means. */
export interface Finding {
  readonly code: string;
  readonly sentence: string;
}

/** What a C2PA manifest store says, and whether it holds. */
export interface CredentialsJudgement {
  readonly label: string;
  readonly generator: string;
  readonly title: string | null;
  /** Organisation and name in the signer's certificate. */
  readonly signer: string | null;
  /** When a time-stamping authority saw the signature; null without one. */
  readonly signedAt: string | null;
  readonly actions: readonly string[];
  readonly ingredients: readonly string[];
  /** Whether the picture's own bytes were looked at. */
  readonly isFileChecked: boolean;
  readonly trustedBy: readonly string[];
  readonly findings: readonly Finding[];
  readonly verdict: "trusted" | "unknownSigner" | "broken";
}

/** What the library reports of a store; every text is somebody else's. */
interface Report {
  readonly active_manifest?: string;
  readonly manifests?: Readonly<Record<string, ReportedManifest>>;
  readonly validation_results?: {
    readonly activeManifest?: {
      readonly success?: readonly { readonly code: string }[];
      readonly failure?: readonly { readonly code: string; readonly explanation?: string }[];
    };
  };
}

interface ReportedManifest {
  readonly title?: string;
  readonly claim_generator?: string;
  readonly claim_generator_info?: readonly { readonly name?: string; readonly version?: string }[];
  readonly signature_info?: {
    readonly issuer?: string;
    readonly common_name?: string;
    readonly time?: string;
  };
  readonly assertions?: readonly {
    readonly label: string;
    readonly data?: { readonly actions?: readonly { readonly action?: string }[] };
  }[];
  readonly ingredients?: readonly { readonly title?: string }[];
}

const TRUSTED = "signingCredential.trusted";
const UNTRUSTED = "signingCredential.untrusted";
const SIGNED = "claimSignature.validated";
const UNSIGNED = "claimSignature.missing";
/** What fails of every store that is read without its file. */
const OF_THE_FILE = /^assertion\.(dataHash|boxesHash|bmffHash)\./;
/** The library would fetch by itself what a file names: nobody but the user decides who learns what is looked at. */
const NO_NETWORK = { remote_manifest_fetch: false, ocsp_fetch: false };
const STORE = "application/c2pa";

/**
 * Validates a C2PA manifest store as the C2PA specification says, without any connection: against its picture where `file` carries this
 * same store, else by itself.
 * Null for bytes that the library cannot read as a store.
 */
export async function judgeStore(
  store: Uint8Array,
  { file, lists }: { file?: Uint8Array | undefined; lists: readonly TrustList[] },
): Promise<CredentialsJudgement | null> {
  const carried = file === undefined ? null : embeddedMetadata(file).c2paStore;
  const isFileChecked = carried !== null && Buffer.compare(carried, store) === 0;
  const subject =
    isFileChecked && file !== undefined
      ? { bytes: file, type: mediaTypeOf(file) }
      : { bytes: store, type: STORE };
  const bare = await report(subject, null);
  if (bare === null) return null;
  const trustedBy: string[] = [];
  for (const { name, pem } of lists) {
    const results = activeResults(await report(subject, pem));
    if (results.success?.some(({ code }) => code === TRUSTED) === true) trustedBy.push(name);
  }
  const { success = [], failure = [] } = activeResults(bare);
  const against = failure.filter(
    ({ code }) => code !== UNTRUSTED && (isFileChecked || !OF_THE_FILE.test(code)),
  );
  const findings = new Map(
    against.map(({ code, explanation = "" }) => [code, CODE_SENTENCES[code] ?? explanation.slice(0, 200)]),
  );
  if (findings.size === 0 && !success.some(({ code }) => code === SIGNED)) {
    findings.set(UNSIGNED, CODE_SENTENCES[UNSIGNED] ?? "");
  }
  const intact = trustedBy.length > 0 ? "trusted" : "unknownSigner";
  return {
    ...saidBy(bare),
    isFileChecked,
    trustedBy,
    findings: Array.from(findings, ([code, sentence]) => ({ code, sentence })),
    verdict: findings.size > 0 ? "broken" : intact,
  };
}

function saidBy({
  active_manifest: label = "",
  manifests = {},
}: Report): Omit<CredentialsJudgement, "isFileChecked" | "trustedBy" | "findings" | "verdict"> {
  const {
    title,
    signature_info: signature,
    assertions = [],
    ingredients = [],
    ...active
  } = manifests[label] ?? {};
  const [generator] = active.claim_generator_info ?? [];
  const actions = assertions.flatMap(({ data }) => data?.actions ?? []).flatMap(({ action }) => action ?? []);
  const signer = [signature?.issuer, signature?.common_name].filter((name) => name !== undefined);
  return {
    label,
    generator: [generator?.name ?? active.claim_generator, generator?.version].filter(Boolean).join(" "),
    title: title ?? null,
    signer: signer.length === 0 ? null : signer.join(", "),
    signedAt: signature?.time ?? null,
    actions,
    ingredients: ingredients.map((ingredient) => ingredient.title ?? "without a title"),
  };
}

function activeResults(
  said: Report | null,
): NonNullable<NonNullable<Report["validation_results"]>["activeManifest"]> {
  return said?.validation_results?.activeManifest ?? {};
}

/** @param anchors PEM of the certificates to trust; null for none */
async function report(
  { bytes, type }: { bytes: Uint8Array; type: string },
  anchors: string | null,
): Promise<Report | null> {
  const { WasmReader } = await library();
  const trust = anchors === null ? {} : { trust: { trust_anchors: anchors } };
  const settings = { verify: { ...NO_NETWORK, verify_trust: true }, ...trust };
  try {
    using reader = await WasmReader.fromBytes(type, bytes, JSON.stringify(settings));
    const said: Report = JSON.parse(reader.json());
    return said;
  } catch {
    return null;
  }
}

let loaded: Promise<typeof import("@contentauth/c2pa-wasm")> | undefined;

/** The library, 9 MB of WebAssembly, loaded when the first store is judged. */
function library(): Promise<typeof import("@contentauth/c2pa-wasm")> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<typeof import("@contentauth/c2pa-wasm")> {
  const wasm = await import("@contentauth/c2pa-wasm");
  const file = fileURLToPath(import.meta.resolve("@contentauth/c2pa-wasm/c2pa.wasm"));
  wasm.initSync({ module: await readFile(file) });
  return wasm;
}

function mediaTypeOf(file: Uint8Array): string {
  if (file[0] === 0xff) return "image/jpeg";
  return file[0] === 0x89 ? "image/png" : "image/webp";
}
