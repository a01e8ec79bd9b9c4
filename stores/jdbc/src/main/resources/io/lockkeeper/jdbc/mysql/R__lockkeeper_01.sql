-- The tables of Lockkeeper on MySQL and MariaDB. Times are microseconds since 1970 on this server's
-- clock. Names are binary, so that no collation takes two of them for one: read them with
-- convert(name using utf8mb4).

-- What can be held: a row per name and kind that is never deleted, because it has the last fencing
-- token. Every change of what belongs to a resource locks its row first. A lock's only grant is
-- here; grants of what is shared are in lockkeeper_claim.
create table if not exists lockkeeper_resource (
  id bigint not null auto_increment primary key,
  namespace varbinary(512) not null,
  kind varchar(8) character set ascii collate ascii_bin not null,                       -- 'lock', 'rw', 'sem' or 'bar'
  name varbinary(544) not null,              -- of elections, and of locks that guard a limit, it is a little longer than users may write
  holder varchar(64) character set ascii collate ascii_bin,                              -- the client that holds the lock; null if none does
  label varchar(64) character set utf8mb4,                               -- the holder's thread, for people
  since_micros bigint not null default 0,   -- when the lock was granted
  end_micros bigint not null default 0,     -- when that grant is over; of what is shared: no grant is over before
  given_micros bigint not null default 0,   -- the lease that was given with that end; if the end is further ahead, a clock moved
  grant_number bigint not null default 0,   -- the number of the first claim of the grant
  claims varchar(800) character set ascii,                              -- the claims of the grant, by commas
  first_token bigint not null default 0,    -- the first token of the grant
  last_token bigint not null default 0,     -- the largest token of all
  tokens_to_spare smallint not null default 0, -- 1 if the grant passes on inside its client
  confirmed smallint not null default 0,    -- 0 while the grant has only the claim deadline
  waiting integer not null default 0,       -- how many claims wait
  last_arrival bigint not null default 0,   -- the arrival of the latest claim
  permit_limit integer not null default -1, -- how many permits there are; -1 if nobody has said it
  resized smallint not null default 0,      -- 1 if that limit was set
  permits_out bigint not null default 0,    -- how many permits are out
  grants integer not null default 0,        -- how many grants there are
  overtakers integer not null default 0,    -- how many waiting claims may overtake
  unique key lockkeeper_resource_name (namespace, name, kind)
) engine = InnoDB;

-- Claims that wait, those on shared resources that are granted, and for a while those that were taken
-- back at a barrier.
create table if not exists lockkeeper_claim (
  resource_id bigint not null,
  client varchar(64) character set ascii collate ascii_bin not null,
  claim bigint not null,                    -- its number
  label varchar(64) character set utf8mb4 not null,                      -- whose it is: a thread, for people
  granted smallint not null,                -- 0 it waits, 1 it is granted, 2 it was taken back and is refused if it comes again
  since_micros bigint not null,             -- when it arrived, or was granted
  arrival bigint not null,                  -- its place in the order of arrival
  end_micros bigint not null,               -- waiting: when it is dead unless its client says something; granted: when it is over
  given_micros bigint not null default 0,   -- granted: the lease that was given with that end; else 0
  permits integer not null,
  tokens integer not null,                  -- how many tokens it wants
  token bigint not null,                    -- the token that it got
  lease_millis bigint not null,
  deadline_millis bigint not null,          -- how long its grant lasts until it is confirmed
  overtakes smallint not null,
  confirmed smallint not null,
  primary key (resource_id, client, claim),
  key lockkeeper_claim_queue (resource_id, granted, arrival)
) engine = InnoDB;

-- Values: counters ('ctr'), shared values ('val'), latches ('lat') and notes of clients ('note').
-- A row outlives its value for a while, so that versions keep growing.
create table if not exists lockkeeper_cell (
  id bigint not null auto_increment primary key,
  namespace varbinary(512) not null,
  kind varchar(8) character set ascii collate ascii_bin not null,
  name varbinary(512) not null,
  version bigint not null default 0,        -- of the latest change, also if that was the end
  born bigint not null default 0,           -- the version that it began with
  value longblob,                              -- null: it is not there
  end_micros bigint not null default 0,     -- when it is over; 0 for never
  unique key lockkeeper_cell_name (namespace, kind, name)
) engine = InnoDB;

-- What is known of clients of a cell: the results of the last update, and who watches it.
create table if not exists lockkeeper_cell_client (
  cell_id bigint not null,
  client varchar(64) character set ascii collate ascii_bin not null,
  batch bigint not null default 0,          -- the number of the last update
  results mediumtext character set ascii,                             -- verdict, version, number before and after of each change
  known_end_micros bigint not null default 0, -- how long they are known
  watch_end_micros bigint not null default 0, -- until when it watches
  primary key (cell_id, client)
) engine = InnoDB;

-- Who the clients are.
create table if not exists lockkeeper_client (
  namespace varbinary(512) not null,
  id varchar(64) character set ascii collate ascii_bin not null,
  name varchar(512) character set utf8mb4 not null,
  host varchar(512) character set utf8mb4 not null,
  pid bigint not null,
  since_micros bigint not null,             -- when it connected
  seen_micros bigint not null,              -- its last word
  primary key (namespace, id)
) engine = InnoDB;

-- What clients are to hear soon: a grant, or that somebody waits. Each takes its own out.
create table if not exists lockkeeper_hint (
  id bigint not null auto_increment primary key,
  client varchar(64) character set ascii collate ascii_bin not null, -- which receives it
  sent_micros bigint not null,
  content varchar(2000) character set utf8mb4 not null,
  key lockkeeper_hint_client (client)
) engine = InnoDB;

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
) engine = InnoDB;

-- One row for each namespace: which server wrote last. Another server, that was a replica until now, may
-- lack the latest grants, and has another clock.
create table if not exists lockkeeper_mark (
  namespace varbinary(512) not null primary key,
  generation bigint not null,               -- larger with each change of what is below, but for the lease
  server varchar(200) not null,            -- which server it is
  safe_micros bigint not null,              -- before this time nobody is admitted
  longest_micros bigint not null,           -- the longest lease ever asked for
  floor_micros bigint not null              -- tokens are larger than this
) engine = InnoDB;

-- Last: where this row is, all of the above is.
insert ignore into lockkeeper_state (id, version, compatible_since) values (1, 1, 1);
