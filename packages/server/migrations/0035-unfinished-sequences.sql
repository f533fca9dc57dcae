-- An account's unfinished sequences are counted whenever it opens one, however many it has committed.

create index sequence_unfinished on sequence (account_id, opened_at) where state in ('open', 'sealed');
