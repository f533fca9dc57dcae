-- What opens /admin, at every process on the database: the SHA-256 of the operator's token. The token itself is among the sealed keys, so that
-- each process can put it into its data directory.
create table operator_token (token_hash bytea primary key check (length(token_hash) = 32));
