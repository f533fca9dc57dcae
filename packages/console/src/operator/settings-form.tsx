import type { TargetedSubmitEvent, VNode } from "preact";
import { useId, useState } from "preact/hooks";
import { TextField } from "../components/text-field.tsx";
import type { AccountSettings } from "./answers.ts";
import { changedSettings, type SettingsDraft } from "./settings-draft.ts";

/** The most that the service stores for a count, and for a number of bytes. */
const MOST_COUNT = 2_147_483_647;
const MOST_BYTES = Number.MAX_SAFE_INTEGER;

/** The settings that are whole numbers, from `least` to `most`. */
const NUMBERS = {
  registrations: { label: "Registrations", least: 0, most: MOST_COUNT },
  lookups: { label: "Look-ups", least: 0, most: MOST_COUNT },
  maxRequestBytes: { label: "Largest request with frames, in bytes", least: 1, most: MOST_BYTES },
  maxFramesPerSequence: { label: "Frames a sequence should hold at most", least: 1, most: MOST_COUNT },
} as const;

/** An account's name, allowance and caps, as a form. `onSettings` is told what was changed. */
export function SettingsForm({
  draft: before,
  action,
  busy,
  onSettings,
}: {
  draft: SettingsDraft;
  action: string;
  busy: boolean;
  onSettings: (settings: AccountSettings) => void;
}): VNode {
  const [draft, setDraft] = useState(before);
  const id = useId();
  const set = (change: Partial<SettingsDraft>): void => setDraft({ ...draft, ...change });
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSettings(changedSettings(before, draft));
  };
  const field = { before, draft, set };
  return (
    <form onSubmit={submit}>
      <TextField
        id={id}
        label="Name"
        hint="For your own use; no record ever shows it."
        maxLength={200}
        value={draft.name}
        onChange={(name) => set({ name })}
      />
      <fieldset class="columns">
        <legend>Allowance, for life</legend>
        <NumberField {...field} name="registrations" />
        <NumberField {...field} name="lookups" />
      </fieldset>
      <fieldset class="columns">
        <legend>Sequences</legend>
        <label class="choice whole">
          <input
            type="checkbox"
            checked={draft.sequencesEnabled}
            onChange={({ currentTarget }) => set({ sequencesEnabled: currentTarget.checked })}
          />
          The account may register sequences of frames
        </label>
        <NumberField {...field} name="maxRequestBytes" />
        <NumberField {...field} name="maxFramesPerSequence" />
      </fieldset>
      <div class="actions">
        <button class="primary" disabled={busy}>
          {action}
        </button>
      </div>
    </form>
  );
}

/** A whole number. What has a value cannot be emptied; what has none takes the service's default. */
function NumberField({
  before,
  draft,
  set,
  name,
}: {
  before: SettingsDraft;
  draft: SettingsDraft;
  set: (change: Partial<SettingsDraft>) => void;
  name: keyof typeof NUMBERS;
}): VNode {
  const id = useId();
  const { label, least, most } = NUMBERS[name];
  const known = before[name] !== "";
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="number"
        inputMode="numeric"
        min={least}
        max={most}
        step={1}
        required={known}
        placeholder={known ? "" : least === 0 ? "0" : "default"}
        value={draft[name]}
        onInput={({ currentTarget }) => set({ [name]: currentTarget.value })}
      />
    </div>
  );
}
