import {
  type Certificate,
  fromPem,
  readCertificate,
  readDistinguishedName,
  sha256Hex,
  toBase64,
  type RecordVerification,
} from "@colophon/formats";
import type { VNode } from "preact";
import { Fact, Facts } from "../components/facts.tsx";
import { grouped, instant } from "../wording.ts";

/** The certificates of a record, from the one that signed it up to the root. */
export function Certificates({ verification }: { verification: RecordVerification }): VNode {
  const pems = [verification.leafCertificate, ...verification.certificateChain];
  return (
    <ol class="certificates">
      {pems.map((pem, place) => (
        <li key={place}>
          <h4>{roleOf(place, pems.length)}</h4>
          <CertificateFacts pem={pem} />
        </li>
      ))}
    </ol>
  );
}

function CertificateFacts({ pem }: { pem: string }): VNode {
  const certificate = readPem(pem);
  if (certificate === null) return <p>This certificate cannot be read.</p>;
  return (
    <>
      <p class="certificate-subject">{nameOf(certificate.subject)}</p>
      <details>
        <summary>Details</summary>
        <Facts>
          <Fact name="Issued by">{nameOf(certificate.issuer)}</Fact>
          <Fact name="Valid from">{instant(certificate.notBefore)}</Fact>
          <Fact name="Valid until">{instant(certificate.notAfter)}</Fact>
          <Fact name="Serial number">
            <code>{grouped(certificate.serialNumber)}</code>
          </Fact>
          <Fact name="Key (Ed25519)">
            <code>{toBase64(certificate.publicKey)}</code>
          </Fact>
          <Fact name="SHA-256">
            <code>{grouped(sha256Hex(certificate.der))}</code>
          </Fact>
        </Facts>
      </details>
    </>
  );
}

function roleOf(place: number, count: number): string {
  if (place === 0) return "The leaf certificate, whose key signed this record and no other";
  const name = `Certificate ${place} of the chain`;
  return place === count - 1 ? `${name}, the root` : `${name}, which issued the one above`;
}

/** A certificate from its PEM, null when it cannot be read. */
export function readPem(pem: string): Certificate | null {
  try {
    return readCertificate(fromPem(pem));
  } catch {
    return null;
  }
}

function nameOf(der: Uint8Array): string {
  try {
    return readDistinguishedName(der);
  } catch {
    return "a name that cannot be read";
  }
}
