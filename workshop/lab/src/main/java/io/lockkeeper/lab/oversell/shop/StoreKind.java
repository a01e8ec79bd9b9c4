package io.lockkeeper.lab.oversell.shop;

/** A family of stores: those that the same strategies run in. */
public enum StoreKind {
  /** Redis and what speaks its protocol. */
  REDIS("Redis"),
  /** ZooKeeper. */
  ZOOKEEPER("ZooKeeper"),
  /** etcd. */
  ETCD("etcd"),
  /** A database with SQL. */
  SQL("SQL");

  private final String title;

  StoreKind(String title) {
    this.title = title;
  }

  /** Returns its name for people. */
  public String title() {
    return title;
  }
}
