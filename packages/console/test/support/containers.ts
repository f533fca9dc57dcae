import type { GivenFile } from "./pictures.ts";

/** CBOR of {"dc:format": "image/jpeg"}. */
const CLAIM = Buffer.from("a16964633a666f726d61746a696d6167652f6a706567", "hex");
/** CBOR of {"actions": [{"action": "c2pa.created"}]}. */
const ACTIONS = Buffer.from("a167616374696f6e7381a166616374696f6e6c633270612e63726561746564", "hex");
/** CBOR of a COSE_Sign1 without a payload and with an empty signature. */
const SIGNATURE = Buffer.from("d28443a10126a0f640", "hex");
const CONTENT_TYPE_END = "00110010800000aa00389b71";

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + content.length);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, content]);
}

function superbox(content: string, label: string, ...children: readonly Buffer[]): Buffer {
  const contentType = Buffer.from(Buffer.from(content).toString("hex") + CONTENT_TYPE_END, "hex");
  return box("jumb", box("jumd", contentType, Buffer.of(3), Buffer.from(`${label}\0`)), ...children);
}

/** A file that holds a C2PA manifest store: a JSON assertion, a CBOR assertion, a claim and its signature. */
export function c2paStore(name: string): GivenFile {
  const author = box("json", Buffer.from('{"author":[{"@type":"Person","name":"Ada Quist"}]}'));
  const actions = box("cbor", ACTIONS);
  const store = superbox(
    "c2pa",
    "c2pa",
    superbox(
      "c2ma",
      "urn:c2pa:3fad1ead-8ed5-44d0-873b-ea5f58adea82",
      superbox(
        "c2as",
        "c2pa.assertions",
        superbox("json", "stds.schema-org.CreativeWork", author),
        superbox("cbor", "c2pa.actions.v2", actions),
      ),
      superbox("c2cl", "c2pa.claim.v2", box("cbor", CLAIM)),
      superbox("c2cs", "c2pa.signature", box("cbor", SIGNATURE)),
    ),
  );
  return { name, mimeType: "application/c2pa", buffer: store };
}
