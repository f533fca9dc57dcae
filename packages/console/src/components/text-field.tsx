import type { TargetedInputEvent, VNode } from "preact";

/** A line of text to be entered, with its label and, where it needs one, a hint. */
export function TextField({
  id,
  label,
  hint,
  value,
  onChange,
  secret = false,
  mono = false,
  required = false,
  maxLength,
}: {
  id: string;
  label: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
  /** Whether it is hidden while it is typed. */
  secret?: boolean;
  /** For ids and hashes, which are compared character by character. */
  mono?: boolean;
  required?: boolean;
  /** The most characters that the service takes. */
  maxLength?: number;
}): VNode {
  const hintId = `${id}-hint`;
  const input = {
    id,
    class: mono ? "mono" : "",
    required,
    autocomplete: "off",
    spellcheck: false,
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(hint === undefined ? {} : { "aria-describedby": hintId }),
    value,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => onChange(currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
      {secret ? <input type="password" {...input} /> : <input type="text" {...input} />}
    </div>
  );
}
