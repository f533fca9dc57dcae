import type { VNode } from "preact";
import { TextField } from "../components/text-field.tsx";
import { type Credit, CREDIT_FIELDS } from "./manifest-draft.ts";

const LABELS: Readonly<Record<keyof Credit, { readonly label: string; readonly hint: string }>> = {
  creator: { label: "Creator", hint: "Who made the picture." },
  credit: { label: "Credit line", hint: "How it is to be credited." },
  licence: { label: "Licence", hint: "A name or an address, for example CC BY 4.0." },
  source: { label: "Source", hint: "Where it was published or can be asked for." },
};

/** The few things most pictures need said about them. */
export function CreditForm({
  credit,
  onChange,
}: {
  credit: Credit;
  onChange: (credit: Credit) => void;
}): VNode {
  return (
    <fieldset class="columns">
      <legend>Who and how to credit</legend>
      {CREDIT_FIELDS.map((name) => (
        <TextField
          key={name}
          id={`credit-${name}`}
          label={LABELS[name].label}
          hint={LABELS[name].hint}
          value={credit[name]}
          onChange={(text) => onChange({ ...credit, [name]: text })}
        />
      ))}
    </fieldset>
  );
}
