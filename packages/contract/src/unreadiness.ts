/** Why a process should get no requests at the moment. */
export const UNREADINESS = ["databaseAway", "engineDown", "diskReserveUsedUp", "stopping"] as const;

export type Unreadiness = (typeof UNREADINESS)[number];
