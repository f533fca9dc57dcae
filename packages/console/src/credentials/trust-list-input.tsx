import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { FileInput } from "../components/file-input.tsx";
import { useObserved } from "../browser/observable.ts";
import { forgetList, trustList, trustLists } from "./trust-lists.ts";

const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/;

/** Which lists of signers the reader goes by, and how to name one: this console brings none. */
export function TrustListInput(): VNode {
  const lists = useObserved(trustLists);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const take = async (files: readonly File[]): Promise<void> => {
    const read = await Promise.all(files.map(async (file) => ({ name: file.name, pem: await file.text() })));
    setRefused(read.filter(({ pem }) => !PEM.test(pem)).map(({ name }) => name));
    for (const list of read.filter(({ pem }) => PEM.test(pem))) trustList(list);
  };
  return (
    <div class="trust-lists">
      <p class="quiet">
        {lists.length === 0
          ? "No list of signers is loaded. Lists are published by C2PA, by IPTC and by newsrooms, as certificates in PEM."
          : "Lists of signers you go by:"}
      </p>
      <ul class="rows">
        {lists.map(({ name }) => (
          <li key={name}>
            <span>{name}</span>
            <button
              type="button"
              class="plain"
              aria-label={`Forget ${name}`}
              onClick={() => forgetList(name)}
            >
              Forget
            </button>
          </li>
        ))}
      </ul>
      <FileInput
        label="Load lists of signers"
        accept=".pem,.crt,.cer,application/x-pem-file"
        multiple
        onFiles={(files) => void take(files)}
      />
      {refused.length > 0 && (
        <p class="warning" role="alert">
          No certificates in PEM: {refused.join(", ")}
        </p>
      )}
    </div>
  );
}
