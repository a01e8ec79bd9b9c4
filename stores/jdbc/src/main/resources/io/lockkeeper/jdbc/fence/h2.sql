-- The largest fencing token that has written, for each resource: for SqlFence, in the database of what
-- is guarded. A row is never deleted: without it an older token would be taken again.
create table if not exists lockkeeper_fence (
  namespace varchar not null,
  kind varchar not null,
  name varchar not null,
  token bigint not null,
  primary key (namespace, kind, name)
);
