package io.lockkeeper.compose;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Quorum;
import io.lockkeeper.QuorumLock;
import io.lockkeeper.QuorumOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The nodes of a quorum. */
public final class QuorumNodes implements Quorum {

  private static final int LEAST = 3;

  private final List<Lockkeeper> keepers;
  private final List<Host> hosts;

  /** The holds of each thread, by name. Only that thread touches them. */
  @SuppressWarnings("ThreadLocalUsage") // a hold goes by quorum and thread, and dies with either
  private final ThreadLocal<Map<String, QuorumLockView.Held>> held =
      ThreadLocal.withInitial(HashMap::new);

  private QuorumNodes(List<Lockkeeper> keepers, List<Host> hosts) {
    this.keepers = keepers;
    this.hosts = hosts;
  }

  /**
   * Makes a quorum.
   *
   * @throws IllegalArgumentException if there are fewer than three clients, if one was not made by
   *     this library, or if two are at the same place
   */
  public static Quorum of(Collection<? extends Lockkeeper> keepers) {
    List<Host> hosts = new ArrayList<>();
    Set<String> places = new HashSet<>();
    for (Lockkeeper keeper : keepers) {
      if (!(keeper instanceof StoreBound placed)) {
        throw new IllegalArgumentException("not a client of this library: " + keeper);
      }
      if (!places.add(placed.place())) {
        throw new IllegalArgumentException(
            "two clients of one store are no two nodes: " + placed.place());
      }
      hosts.add(placed.host());
    }
    if (hosts.size() < LEAST) {
      throw new IllegalArgumentException(
          "a quorum needs at least "
              + LEAST
              + " nodes to survive the loss of one, got "
              + hosts.size());
    }
    return new QuorumNodes(List.copyOf(keepers), List.copyOf(hosts));
  }

  @Override
  public QuorumLock lock(String name, QuorumOptions options) {
    LockOptions nodeOptions =
        options.lease().map(LockOptions.defaults()::withLease).orElse(LockOptions.defaults());
    List<DistributedLock> locks = new ArrayList<>();
    for (Lockkeeper keeper : keepers) {
      locks.add(keeper.fairLock(name, nodeOptions));
    }
    return new QuorumLockView(this, name, locks, options.nodeTimeout());
  }

  @Override
  public List<Lockkeeper> keepers() {
    return keepers;
  }

  @Override
  public int majority() {
    return keepers.size() / 2 + 1;
  }

  /** Returns a client that is open, if there is one. */
  Host host() {
    for (Host host : hosts) {
      if (!host.isClosed()) {
        return host;
      }
    }
    return hosts.get(0);
  }

  /** Returns what the current thread holds, by name. */
  Map<String, QuorumLockView.Held> held() {
    return held.get();
  }

  @Override
  public String toString() {
    return "quorum of " + keepers.size();
  }
}
