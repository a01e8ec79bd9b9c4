-- What version 2 of the tables of Lockkeeper on SQLite adds to version 1. Clients that know only
-- version 1 go on working on these tables, beside those that know version 2.

-- One row about the tables themselves: their version, and what is remembered of the rows that were
-- deleted because nobody used them any more.
create table if not exists lockkeeper_state (
  id smallint not null primary key,         -- 1
  version integer not null,                 -- of the tables
  compatible_since integer not null,        -- clients that know this version, or a later one, can work on them
  token_floor bigint not null default 0,    -- the largest last_token of a resource that was deleted
  version_floor bigint not null default 0,  -- the largest version of a cell that was deleted
  resource_cursor bigint not null default 0, -- the last resource that the cleaning has looked at
  cell_cursor bigint not null default 0     -- the last cell that it has looked at
);

-- With the end of a grant, the lease that was given when that end was written, and a copy of the end: where
-- the two ends differ, a client of version 1 has moved the end since. An end that is further ahead than
-- the lease was moved there by a clock.
alter table lockkeeper_resource add column given_micros bigint not null default 0;
alter table lockkeeper_resource add column given_end_micros bigint not null default 0;
alter table lockkeeper_claim add column given_micros bigint not null default 0;
alter table lockkeeper_claim add column given_end_micros bigint not null default 0;

-- One row for each namespace: which server wrote last. Another server, that was a replica until now, may
-- lack the latest grants, and has another clock.
create table if not exists lockkeeper_mark (
  namespace text not null primary key,
  generation bigint not null,               -- larger with each change of what is below, but for the lease
  server text not null,                    -- which server it is
  safe_micros bigint not null,              -- before this time nobody is admitted
  longest_micros bigint not null,           -- the longest lease ever asked for
  floor_micros bigint not null              -- tokens are larger than this
);

-- Last: where this row is, all of the above is.
insert or ignore into lockkeeper_state (id, version, compatible_since) values (1, 2, 1);
