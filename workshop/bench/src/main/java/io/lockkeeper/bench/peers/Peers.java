package io.lockkeeper.bench.peers;

import io.lockkeeper.lab.history.ResourceType;
import io.lockkeeper.lab.load.Subject;
import io.lockkeeper.lab.load.SubjectProvider;
import java.time.Duration;
import java.util.List;

/** The locks of others: Redisson's and Spring Integration's on Redis, Curator's on ZooKeeper. */
public final class Peers implements SubjectProvider {

  private static final String REDISSON = "redisson";
  private static final String CURATOR = "curator";
  private static final String SPRING = "spring-redis";

  /** Creates it; for the loader of services. */
  public Peers() {}

  @Override
  public List<String> names() {
    return List.of(
        REDISSON,
        REDISSON + "-lock",
        REDISSON + "-fair",
        REDISSON + "-rw",
        REDISSON + "-semaphore",
        CURATOR,
        SPRING);
  }

  @Override
  public List<ResourceType> types(String name) {
    return switch (name) {
      case REDISSON + "-lock", CURATOR, SPRING -> List.of(ResourceType.LOCK);
      case REDISSON + "-fair" -> List.of(ResourceType.FAIR);
      case REDISSON + "-rw" -> List.of(ResourceType.RW);
      case REDISSON + "-semaphore" -> List.of(ResourceType.SEMAPHORE);
      default ->
          List.of(ResourceType.LOCK, ResourceType.FAIR, ResourceType.RW, ResourceType.SEMAPHORE);
    };
  }

  @Override
  public Subject open(String name, String storeUrl, String namespace, Duration lease) {
    return switch (name) {
      case CURATOR -> new CuratorSubject(storeUrl, namespace);
      case SPRING -> new SpringRedisSubject(storeUrl, namespace, lease);
      default -> new RedissonSubject(storeUrl, namespace, lease);
    };
  }
}
