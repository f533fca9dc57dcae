-- The words of an original in some three bytes each instead of four and a value of their own beside the packet: ascending, each as what it is
-- above the one before, the first above the least number there is; steps of 23 bits in three bytes, the lowest 23 bits of a larger one
-- after three bytes with the rest, whose highest bit is set.

create function packed_words(words int[]) returns bytea language sql immutable parallel safe begin atomic
  select coalesce(string_agg(
      case when step < 8388608 then ''::bytea else substring(int4send((8388608 + (step >> 23))::int) from 2) end
        || substring(int4send((step & 8388607)::int) from 2), ''::bytea order by word), ''::bytea)
  from (
    select word, word::bigint - lag(word::bigint, 1, -2147483648) over (order by word) as step from unnest(words) as word
  ) steps;
end;

create function filed_words(packed bytea) returns setof int language sql immutable parallel safe begin atomic
  select (word - 2147483648)::int from (
    select step, sum(step & 8388607) filter (where step < 8388608) over upward
      + (coalesce(sum(step & 8388607) filter (where step >= 8388608) over upward, 0) << 23) as word
    from (
      select at, (get_byte(packed, at) << 16) + (get_byte(packed, at + 1) << 8) + get_byte(packed, at + 2) as step
      from generate_series(0, length(packed) - 3, 3) as at
    ) steps window upward as (order by at)
  ) summed where step < 8388608;
end;

alter table feature alter column words type bytea using packed_words(words);
