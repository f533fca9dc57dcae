-- The account of callers without a token, under the nil UUID (RFC 9562 section 5.9): a custody ledger without grant, token or usage.

insert into account (account_id, name, max_request_bytes, max_frames_per_sequence)
  values ('00000000-0000-0000-0000-000000000000', 'anonymous', 1, 1);
insert into ledger_head (account_id, ledger)
  values ('00000000-0000-0000-0000-000000000000', 'custody'), ('00000000-0000-0000-0000-000000000000', 'usage');
