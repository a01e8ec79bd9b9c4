package io.lockkeeper.junit;

import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockObserver;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.LockkeeperException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The clients of one test, all in one namespace, which no other test has unless it is given. For a
 * test that needs more than one: each is to the store what the client of another process would be.
 */
public final class TestClients {

  private static final Duration ANSWER = Duration.ofSeconds(1);

  private final String namespace;
  private final String url;
  private final String test;
  private final List<Client> opened = new CopyOnWriteArrayList<>();
  private @Nullable Client first;

  /**
   * @param url the store, or empty for a memory store of its own
   * @param namespace where the locks are, or empty for a namespace of its own
   */
  TestClients(String url, String namespace, String test) {
    String own = "test-" + UUID.randomUUID();
    this.namespace = namespace.isEmpty() ? own : namespace;
    this.url = url.isEmpty() ? "memory:" + own : withoutQuarantine(url);
    this.test = test;
  }

  /** A Redis that was started for tests has no locks from before its start. */
  private static String withoutQuarantine(String url) {
    return url.startsWith("redis") && !url.contains("afterLoss=")
        ? url + (url.contains("?") ? '&' : '?') + "afterLoss=grant"
        : url;
  }

  /** Returns the address of the store. */
  public String url() {
    return url;
  }

  /** Returns the namespace of this test, for code that connects by itself. */
  public String namespace() {
    return namespace;
  }

  /**
   * Opens one more client. Close it before the end of the test.
   *
   * @param name the client's name, which a failure of the test calls it by
   */
  public Lockkeeper open(String name) {
    Client client = new Client(name, url, namespace);
    opened.add(client);
    return client.keeper;
  }

  /** Returns the client that is a parameter of the test's methods. */
  Lockkeeper first() {
    if (first == null) {
      first = new Client(test, url, namespace);
    }
    return first.keeper;
  }

  /**
   * Closes all clients.
   *
   * @throws AssertionError if something is left
   */
  void close() {
    List<String> left = new ArrayList<>();
    if (first != null) {
      first.close(left);
    }
    for (Client client : opened) {
      if (client.isOpen()) {
        left.add("the client '" + client.keeper.clientName() + "' is open");
      }
      client.close(left);
    }
    if (!left.isEmpty()) {
      throw new AssertionError(test + " is over, and " + String.join("; ", left));
    }
  }

  /** One client, and what its threads hold and wait for. */
  private static final class Client {

    final Lockkeeper keeper;
    private final Set<Use> uses = ConcurrentHashMap.newKeySet();

    Client(String name, String url, String namespace) {
      keeper =
          Lockkeeper.builder()
              .clientName(name)
              .namespace(namespace)
              .observer(request -> new Use(request, uses))
              .connect(url);
    }

    boolean isOpen() {
      try {
        keeper.admin().ping(ANSWER);
        return true;
      } catch (LockkeeperClosedException e) {
        return false;
      } catch (LockkeeperException e) { // the store cannot be asked
        return true;
      }
    }

    /** Closes it. What a test has closed with locks held is meant to be that way. */
    void close(List<String> left) {
      if (isOpen()) {
        for (Use use : uses) {
          String what = use.left();
          if (!what.isEmpty()) {
            left.add(what + " by the client '" + keeper.clientName() + "'");
          }
        }
      }
      keeper.close();
    }
  }

  /** A request and the hold that it brings, from its begin to its end. */
  private static final class Use implements LockObserver.Attempt {

    private final LockObserver.Request request;
    private final Set<Use> uses;
    private final String thread = Thread.currentThread().getName();
    private volatile @Nullable Lease lease;

    Use(LockObserver.Request request, Set<Use> uses) {
      this.request = request;
      this.uses = uses;
      uses.add(this);
    }

    @Override
    public void acquired(Lease lease, LockObserver.Via via, long waitedNanos) {
      this.lease = lease;
      if (via == LockObserver.Via.REENTRY) { // the hold that it entered has a use of its own
        uses.remove(this);
      }
    }

    @Override
    public void ended(LockObserver.Ending why, @Nullable Throwable failure, long waitedNanos) {
      uses.remove(this);
    }

    @Override
    public void released(long heldNanos) {
      uses.remove(this);
    }

    @Override
    public void lost(LeaseLost loss, long heldNanos) {
      uses.remove(this);
    }

    /** Returns what is left of it; nothing if its lease has ended, which it may not know yet. */
    String left() {
      Lease held = lease;
      return held != null && !held.isValid()
          ? ""
          : "the thread '%s' %s the %s '%s'"
              .formatted(
                  thread, held == null ? "waits for" : "holds", request.kind(), request.name());
    }
  }
}
