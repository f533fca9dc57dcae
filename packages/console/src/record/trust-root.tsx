import { type RecordVerification, sha256Hex } from "@colophon/formats";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Copyable } from "../components/copyable.tsx";
import { FileInput } from "../components/file-input.tsx";
import { useDesk } from "../desk/session.ts";
import { grouped } from "../wording.ts";
import { readPem } from "./certificates.tsx";
import { rootInWords, useTrust } from "./trust.ts";

/** Which root the reader goes by, and how to come by one. */
export function TrustRoot({ verification }: { verification: RecordVerification }): VNode {
  const desk = useDesk();
  const trust = useTrust();
  const [refused, setRefused] = useState<string | null>(null);
  const take = async (file: File | undefined): Promise<void> => {
    const pem = (await file?.text()) ?? "";
    const readable = readPem(pem) !== null;
    setRefused(readable ? null : "That file is not one PEM certificate with an Ed25519 key.");
    if (readable) desk.trust(pem);
  };
  return (
    <div class="trust-root">
      {trust === null ? (
        <OwnRoot pem={verification.certificateChain.at(-1) ?? ""} />
      ) : (
        <p>
          Compared with {rootInWords(trust)}
          {trust.by === "registry" && ", as its operator pinned it"}: <Fingerprint pem={trust.root} />
        </p>
      )}
      <div class="actions">
        <FileInput
          label={trust === null ? "Load the root you trust" : "Load another root"}
          accept=".pem,.crt,.cer,application/x-pem-file"
          onFiles={([file]) => void take(file)}
        />
        {trust?.by === "reader" && (
          <button type="button" onClick={() => desk.trust(null)}>
            Forget it
          </button>
        )}
      </div>
      {refused !== null && <p role="alert">{refused}</p>}
    </div>
  );
}

/** What the record's own root is worth. */
function OwnRoot({ pem }: { pem: string }): VNode {
  return (
    <>
      <p>
        This chain ends in a root that came with the record. By itself that is only as good as this service:
        anyone who makes up a record can make up a root for it. Compare its fingerprint with one that the
        operator published elsewhere, or load that root:
      </p>
      <p>
        <Fingerprint pem={pem} />
      </p>
    </>
  );
}

function Fingerprint({ pem }: { pem: string }): VNode {
  const certificate = readPem(pem);
  if (certificate === null) return <>a root that cannot be read</>;
  const fingerprint = sha256Hex(certificate.der);
  return (
    <Copyable name="the root's fingerprint" text={fingerprint} shown={`SHA-256 ${grouped(fingerprint)}`} />
  );
}
