package io.lockkeeper.redis;

import io.lockkeeper.spi.StoreDoctor;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.StoreProvider;
import java.util.Optional;
import java.util.Set;

/**
 * Knows the URLs of Redis: a single server, Sentinels, a cluster.
 *
 * <pre>
 *   redis://[[user]:password@]host[:port][/database]      one server
 *   redis-sentinel://host[:port][,...][/database]?master=NAME
 *   redis-cluster://host[:port][,...]                     or redis:// with several hosts
 * </pre>
 *
 * <p>With {@code rediss} in place of {@code redis} the servers are spoken to through TLS.
 * Parameters: {@code timeout} of a request (3s) and {@code connectTimeout} (10s), {@code afterLoss}
 * ({@code ask}, {@code wait} or {@code grant}: {@link AfterLoss}) and {@code quarantine} (2s),
 * {@code replicas} that must confirm a grant (0) and {@code replicaTimeout} (1s), {@code
 * sentinelUser} and {@code sentinelPassword} where the Sentinels have accounts of their own, {@code
 * verifyPeer=false} or {@code ca} to check less of the servers' certificates, {@code ca}, a file
 * with the certificates to trust, {@code cert} and {@code key}, files with the client's own.
 */
public final class RedisStoreProvider implements StoreProvider {

  /** Creates it. */
  public RedisStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return RedisUrl.SCHEMES;
  }

  @Override
  public String example() {
    return "redis://localhost:6379";
  }

  @Override
  public StoreFactory factory(String url) {
    RedisSettings settings = RedisUrl.parse(url);
    return StoreFactory.at(settings.describe(), context -> OwnClient.open(settings, context));
  }

  @Override
  public Optional<StoreDoctor> doctor(String url) {
    return Optional.of(new RedisDoctor(RedisUrl.parse(url)));
  }
}
