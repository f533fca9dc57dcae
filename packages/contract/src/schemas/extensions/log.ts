import { Type } from "typebox";

/** A text or bytes of the log, with an example. */
function content(description: string, example: string): Type.TString {
  return Type.String({ description, examples: [example] });
}

const CHECKPOINT = `images.press.example/log
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— images.press.example/log Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
`;

export const LogCheckpoint: Type.TString = content(
  "A signed note: origin, size, root, signatures.",
  CHECKPOINT,
);

export const LogVkey: Type.TString = content(
  "Name, key id and key, with a plus between them.",
  "images.press.example/log+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k\n",
);

export const LogTile: Type.TString = content("1 to 256 hashes of 32 bytes, or entries.", "bytes");

export const LogTimestamp: Type.TString = content("DER of a TimeStampResp (RFC 3161).", "DER");

export const LogProof: Type.TString = content(
  "Nonce, index and hashes, then the checkpoint.",
  `c2sp.org/tlog-proof@v1
extra 8sC7aiH6Jq1bDG8cXuV7FbyQHcg6KpJr0Vw0PoqMJrk=
index 20852162
gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=

${CHECKPOINT}`,
);
