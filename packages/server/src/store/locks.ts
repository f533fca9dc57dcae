/**
 * Numbers of the advisory locks by which processes take turns; `pg_locks` shows them. A process holds one of its own as
 * well (`ProcessLease`).
 */
export const LOCKS = {
  /** Changes of the schema. */
  schema: 0x636c_7001,
  /** Keys of the deployment, made or rotated. */
  keys: 0x636c_7003,
  /** The first account. */
  firstAccount: 0x636c_7004,
  /**
   * Keys of packets: publications share it (`packet_keys_in_use` knows the number, too), a rotation that begins has it
   * alone.
   */
  packetKeys: 0x636c_7005,
  /** The log: one transaction at a time enters entries or signs. */
  log: 0x636c_7006,
  /** The table of the log's nonces, written again. */
  nonces: 0x636c_7007,
  /**
   * With the number of a share of the originals: take-downs share it (`remove_postings` knows the number, too), a
   * gathering of postings has it alone.
   */
  postings: 0x636c_7008,
} as const;
