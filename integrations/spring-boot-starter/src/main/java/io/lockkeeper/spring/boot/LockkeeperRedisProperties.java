package io.lockkeeper.spring.boot;

import io.lockkeeper.redis.AfterLoss;
import io.lockkeeper.redis.RedisStores;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** The properties {@code lockkeeper.redis.*}. */
@ConfigurationProperties("lockkeeper.redis")
public class LockkeeperRedisProperties extends UrlParameters {

  private static final Duration REPLICA_TIMEOUT = Duration.ofSeconds(1);

  /** The rule for locks after the server was restarted, flushed or replaced. */
  private @Nullable AfterLoss afterLoss;

  /**
   * How long a server that was restarted waits for clients that hold something, with
   * after-loss=ask. Default 2s.
   */
  private @Nullable Duration quarantine;

  /** How many replicas must confirm a grant. Default 0. */
  private @Nullable Integer replicas;

  /** How long to wait for replicas. Default 1s. */
  private @Nullable Duration replicaTimeout;

  /** Creates properties that leave everything to its default. */
  public LockkeeperRedisProperties() {}

  /** Returns what becomes of locks after a loss. */
  public @Nullable AfterLoss getAfterLoss() {
    return afterLoss;
  }

  /** Sets what becomes of locks after a loss. */
  public void setAfterLoss(@Nullable AfterLoss afterLoss) {
    this.afterLoss = afterLoss;
  }

  /** Returns how long a restarted server waits for clients that hold something. */
  public @Nullable Duration getQuarantine() {
    return quarantine;
  }

  /** Sets how long a restarted server waits for clients that hold something. */
  public void setQuarantine(@Nullable Duration quarantine) {
    this.quarantine = quarantine;
  }

  /** Returns how many replicas must confirm a grant. */
  public @Nullable Integer getReplicas() {
    return replicas;
  }

  /** Sets how many replicas must confirm a grant. */
  public void setReplicas(@Nullable Integer replicas) {
    this.replicas = replicas;
  }

  /** Returns how long to wait for replicas. */
  public @Nullable Duration getReplicaTimeout() {
    return replicaTimeout;
  }

  /** Sets how long to wait for replicas. */
  public void setReplicaTimeout(@Nullable Duration replicaTimeout) {
    this.replicaTimeout = replicaTimeout;
  }

  boolean needsReplicas() {
    return replicas != null && replicas > 0;
  }

  RedisStores applyTo(RedisStores given) {
    RedisStores stores = given;
    Duration wait = replicaTimeout == null ? REPLICA_TIMEOUT : replicaTimeout;
    stores =
        Setting.apply("lockkeeper.redis.after-loss", afterLoss, stores, RedisStores::withAfterLoss);
    stores =
        Setting.apply(
            "lockkeeper.redis.quarantine", quarantine, stores, RedisStores::withQuarantine);
    stores =
        Setting.apply("lockkeeper.redis.timeout", getTimeout(), stores, RedisStores::withTimeout);
    stores =
        Setting.apply(
            "lockkeeper.redis.replicas",
            replicas,
            stores,
            (all, number) -> all.withReplicas(number, wait));
    return Boolean.FALSE.equals(getPush()) ? stores.withoutPush() : stores;
  }

  @Override
  Map<String, @Nullable Object> parameters(String url) {
    Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
    if (url.startsWith("redis")) {
      parameters.put("afterLoss", afterLoss);
      parameters.put("quarantine", quarantine);
      parameters.put("replicas", replicas);
      parameters.put("replicaTimeout", replicaTimeout);
      parameters.put("timeout", getTimeout());
      parameters.put("push", getPush());
    }
    return parameters;
  }
}
