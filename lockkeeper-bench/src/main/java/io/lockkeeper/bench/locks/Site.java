package io.lockkeeper.bench.locks;

/** The kind of server that a run is held at, and what it is called for. */
public enum Site {
  REDIS("Redis", "benchmarks"),
  ZOOKEEPER("ZooKeeper", "benchmarks-zookeeper"),
  POSTGRESQL("PostgreSQL", "benchmarks-postgresql"),
  MARIADB("MariaDB", "benchmarks-mariadb"),
  ETCD("etcd", "benchmarks-etcd");

  private final String label;
  private final String page;

  Site(String label, String page) {
    this.label = label;
    this.page = page;
  }

  /** Returns its name for people. */
  public String label() {
    return label;
  }

  /** Returns the name of its page, without suffix, and of the folder of the page's plots. */
  public String page() {
    return page;
  }
}
