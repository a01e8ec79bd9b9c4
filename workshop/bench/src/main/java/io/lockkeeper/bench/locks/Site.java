package io.lockkeeper.bench.locks;

import java.util.List;

/** The kind of server that a run is held at, and what it is called for. */
public enum Site {
  REDIS("Redis", "benchmarks", "lettuce netty"),
  ZOOKEEPER("ZooKeeper", "benchmarks-zookeeper", "zookeeper"),
  POSTGRESQL("PostgreSQL", "benchmarks-postgresql", "postgresql-driver"),
  MARIADB("MariaDB", "benchmarks-mariadb", "mariadb-driver"),
  ETCD("etcd", "benchmarks-etcd", "jetcd");

  private final String label;
  private final String page;
  private final String drivers;

  Site(String label, String page, String drivers) {
    this.label = label;
    this.page = page;
    this.drivers = drivers;
  }

  public String label() {
    return label;
  }

  /** Returns the name of its page, without suffix, and of the folder of its results. */
  public String page() {
    return page;
  }

  /** Returns the products that Lockkeeper's store uses, as the versions of a run name them. */
  public List<String> drivers() {
    return List.of(drivers.split(" "));
  }
}
