import { toBase64, toUtf8 } from "@colophon/formats";
import {
  checkpointText,
  cosign,
  EMPTY_ROOT,
  KEY_TYPE,
  type KeyType,
  type NoteSignature,
  type Sign,
  signNote,
  type VerifierKey,
  verifierKey,
  writeNote,
  writeVkey,
} from "@colophon/log";
import { sign, strangerKey, vectorKey, type VectorKey } from "./keys.ts";

/** A key of a log or of a witness, with what signs for it. */
export interface NoteKey {
  readonly key: VerifierKey;
  readonly sign: Sign;
}

function noteKey(name: string, type: KeyType, of: VectorKey): NoteKey {
  return { key: verifierKey(name, type, of.publicKey), sign: (message) => sign(of, message) };
}

export const LOG: NoteKey = noteKey("vectors.example/log", KEY_TYPE.ed25519, vectorKey("log"));
export const WITNESS: NoteKey = noteKey("witness.example", KEY_TYPE.cosignature, vectorKey("witness"));
export const OTHER_WITNESS: NoteKey = noteKey(
  "other-witness.example",
  KEY_TYPE.cosignature,
  vectorKey("other witness"),
);
/** Who signs in the name of another. */
export const STRANGER: NoteKey = noteKey("vectors.example/log", KEY_TYPE.ed25519, strangerKey);

/** When the witnesses of the vectors saw a checkpoint. */
export const SEEN_AT: Date = new Date("2026-11-20T12:00:05Z");

/** The log's signature of a text. */
export function logSignature(text: string, { key, sign: signer }: NoteKey = LOG): NoteSignature {
  return signNote(text, key, signer);
}

/** A witness's signature of a checkpoint's text. */
export function witnessSignature(text: string, { key, sign: signer }: NoteKey = WITNESS): NoteSignature {
  return cosign(text, key, SEEN_AT, signer);
}

/** Notes, the keys a reader has, and which of them have signed; `refused` where the whole note is. */
export function logNoteVectors(): object {
  const text = checkpointText({ origin: LOG.key.name, size: 0, root: EMPTY_ROOT });
  const log = logSignature(text);
  const witness = witnessSignature(text);
  const keys = [LOG, WITNESS].map(({ key }) => writeVkey(key));
  const forged = { ...logSignature(text, STRANGER), id: LOG.key.id };
  const moved = { ...witness, signature: witness.signature.map((byte, i) => (i === 7 ? byte ^ 1 : byte)) };
  const note = (...signatures: NoteSignature[]): string => writeNote({ text, signatures });
  const whole = note(log, witness);
  const signed = (name: string, of: string, by: readonly NoteKey[]): object => ({
    name,
    keys,
    note: of,
    signedBy: by.map(({ key }) => key.name),
    refused: false,
  });
  const refused = (name: string, of: string): object => ({
    name,
    keys,
    note: of,
    signedBy: [],
    refused: true,
  });
  return {
    vkeys: [LOG, WITNESS, OTHER_WITNESS].map(({ key }) => ({
      vkey: writeVkey(key),
      name: key.name,
      type: key.type,
      id: key.id,
      publicKey: toBase64(key.publicKey),
    })),
    refusedVkeys: [
      "",
      "vectors.example/log",
      keys[0]!.replace(LOG.key.id, "00000000"),
      keys[0]!.replace("vectors", "vector"),
      keys[0]!.replace("vectors.example/log", ""),
      keys[0]!.replace("/log", "/ log"),
      keys[0]!.slice(0, -4),
      `${LOG.key.name}+${LOG.key.id}+${toBase64(toUtf8("not a key"))}`,
    ],
    notes: [
      {
        name: "the example of the specification",
        keys: ["example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"],
        note:
          "This is an example message.\n\n— example.com/foo " +
          "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n",
        signedBy: ["example.com/foo"],
        refused: false,
      },
      signed("a log's signature", note(log), [LOG]),
      signed("a witness's too", whole, [LOG, WITNESS]),
      signed("a signature of an unknown key", note(log, witnessSignature(text, OTHER_WITNESS)), [LOG]),
      signed("a known name with another key's id", note(log, logSignature(text, STRANGER)), [LOG]),
      signed("nobody the reader knows", note(witnessSignature(text, OTHER_WITNESS)), []),
      signed("a signature twice", note(log, log), [LOG]),
      refused("a signature in the name of a known key", note(forged)),
      refused("a forged signature beside a sound one", note(log, forged)),
      refused("a cosignature with another time", note(log, moved)),
      refused("a cosignature cut short", note({ ...witness, signature: witness.signature.subarray(0, 71) })),
      refused("another text", whole.replace("\n0\n", "\n1\n")),
      refused("no signature", `${text}\n`),
      refused("no empty line", whole.replace("\n\n", "\n")),
      refused("no newline at the end", whole.slice(0, -1)),
      refused("a carriage return", whole.replace("\n", "\r\n")),
      refused("a hyphen for the dash", whole.replaceAll("— ", "- ")),
      refused("a signature that is no base64", `${text}\n— ${LOG.key.name} ?\n`),
    ],
  };
}
