-- The largest fencing token that has written, for each resource: for SqlFence, in the database of what
-- is guarded. A row is never deleted: without it an older token would be taken again.
create table if not exists lockkeeper_fence (
  namespace text not null,
  kind text not null,
  name text not null,
  token integer not null,
  primary key (namespace, kind, name)
) without rowid;
