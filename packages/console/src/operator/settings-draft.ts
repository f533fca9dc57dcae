import type { Account, AccountSettings } from "./answers.ts";

/** An account's settings as typed; what is empty is left to the service. */
export interface SettingsDraft {
  readonly name: string;
  readonly registrations: string;
  readonly lookups: string;
  readonly sequencesEnabled: boolean;
  readonly maxRequestBytes: string;
  readonly maxFramesPerSequence: string;
}

/** What a new account begins with. */
export const EMPTY_DRAFT: SettingsDraft = {
  name: "",
  registrations: "",
  lookups: "",
  sequencesEnabled: false,
  maxRequestBytes: "",
  maxFramesPerSequence: "",
};

/** An account's settings, ready to be changed. */
export function draftOf(account: Account): SettingsDraft {
  return {
    name: account.name ?? "",
    registrations: String(account.registrations.grant),
    lookups: String(account.lookups.grant),
    sequencesEnabled: account.sequencesEnabled,
    maxRequestBytes: String(account.maxRequestBytes),
    maxFramesPerSequence: String(account.maxFramesPerSequence),
  };
}

/**
 * What differs between two drafts, as the service takes it: only that is sent, so that two operators do not undo each
 * other.
 */
export function changedSettings(before: SettingsDraft, after: SettingsDraft): AccountSettings {
  const number = (field: "registrations" | "lookups" | "maxRequestBytes" | "maxFramesPerSequence"): object =>
    after[field] === before[field] || after[field] === "" ? {} : { [field]: Number(after[field]) };
  const name = after.name.trim();
  return {
    ...(name === before.name ? {} : { name: name === "" ? null : name }),
    ...number("registrations"),
    ...number("lookups"),
    ...(after.sequencesEnabled === before.sequencesEnabled
      ? {}
      : { sequencesEnabled: after.sequencesEnabled }),
    ...number("maxRequestBytes"),
    ...number("maxFramesPerSequence"),
  };
}
