package io.lockkeeper.spring.boot;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.ClassUtils;

/** Says what is missing if there is no store. */
final class NoLockStoreAnalyzer extends AbstractFailureAnalyzer<NoLockStoreException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, NoLockStoreException cause) {
    String present =
        Stream.of("redis", "jdbc", "zookeeper", "etcd", "dynamodb", "memory")
            .filter(NoLockStoreAnalyzer::isPresent)
            .map(store -> "lockkeeper-" + store)
            .collect(Collectors.joining(", "));
    return new FailureAnalysis(
        "Lockkeeper does not know where the locks are: lockkeeper.url is not set, and there is"
            + " neither one Redis (a LettuceConnectionFactory, with lockkeeper-redis) nor one"
            + " database (a DataSource, with lockkeeper-jdbc) nor one ZooKeeper (a"
            + " CuratorFramework, with lockkeeper-zookeeper) that it could use. Stores on the"
            + " class path: "
            + (present.isEmpty() ? "none" : present)
            + ".",
        "Add the module of a store (lockkeeper-redis, lockkeeper-jdbc, lockkeeper-zookeeper, or"
            + " lockkeeper-memory for tests), and set lockkeeper.url, such as redis://localhost, or"
            + " configure the application's own Redis (spring.data.redis.*) or database"
            + " (spring.datasource.*). If there are several, set lockkeeper.url, or declare a"
            + " LockkeeperConnectionDetails bean.",
        cause);
  }

  private static boolean isPresent(String store) {
    String name =
        switch (store) {
          case "redis" -> "Redis";
          case "jdbc" -> "Jdbc";
          case "zookeeper" -> "ZooKeeper";
          case "etcd" -> "Etcd";
          case "dynamodb" -> "DynamoDb";
          default -> "Memory";
        };
    return ClassUtils.isPresent(
        "io.lockkeeper." + store + "." + name + "StoreProvider",
        NoLockStoreAnalyzer.class.getClassLoader());
  }
}
