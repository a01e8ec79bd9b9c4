package io.lockkeeper.lab.oversell.zookeeper;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.console.Secrets;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.X509Exception.SSLContextException;
import org.apache.zookeeper.common.ZKConfig;
import org.jspecify.annotations.Nullable;

/** A client of ZooKeeper with one connection, shared by all threads of the process. */
public final class ZooKeeperLine implements AutoCloseable {

  /** What to do with the client. */
  public interface Work<T> {
    /** Does it. */
    T with(ZooKeeper client) throws KeeperException, InterruptedException;
  }

  private static final int SESSION_MILLIS = 10_000;
  private static final int CONNECT_MILLIS = 10_000;
  private static final int STATUS_MILLIS = 2_000;

  /** For lists of many orders; the default is a million bytes. */
  private static final int LARGEST_ANSWER_BYTES = 1 << 28;

  private final ZooKeeperAddress address;
  private final ZooKeeper client;

  private ZooKeeperLine(ZooKeeperAddress address, ZooKeeper client) {
    this.address = address;
    this.client = client;
  }

  /**
   * Checks that it can connect to such a URL, without connecting.
   *
   * @throws IllegalArgumentException if not
   */
  public static void check(String url) {
    ZooKeeperAddress.parse(url);
  }

  /**
   * Connects.
   *
   * @throws CannotRunException if no server is in reach
   */
  public static ZooKeeperLine connect(String url) {
    ZooKeeperAddress address = ZooKeeperAddress.parse(url);
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(ZKConfig.JUTE_MAXBUFFER, Integer.toString(LARGEST_ANSWER_BYTES));
    CountDownLatch connected = new CountDownLatch(1);
    try {
      ZooKeeper client =
          new ZooKeeper(
              address.servers(),
              SESSION_MILLIS,
              event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                  connected.countDown();
                }
              },
              config);
      ZooKeeperLine line = new ZooKeeperLine(address, client);
      if (!connected.await(CONNECT_MILLIS, TimeUnit.MILLISECONDS)) {
        line.close();
        throw unreachable(url, "no answer", null);
      }
      return line;
    } catch (IOException e) {
      throw unreachable(url, String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable(url, "interrupted", e);
    }
  }

  private static CannotRunException unreachable(
      String url, String reason, @Nullable Exception cause) {
    return new CannotRunException(
        "cannot connect to "
            + Secrets.hide(url)
            + " ("
            + reason
            + "); start a ZooKeeper server there, or correct --store",
        cause);
  }

  /** Returns the node under which everything is, or an empty text for the root. */
  public String path() {
    return address.path();
  }

  /**
   * Does something.
   *
   * @throws IllegalStateException if ZooKeeper refuses or is out of reach
   */
  public <T> T call(Work<T> work) {
    try {
      return work.with(client);
    } catch (KeeperException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Returns the line of the first server's status that begins so, without its beginning. */
  public Optional<String> status(String beginning) {
    try {
      String answer =
          FourLetterWordMain.send4LetterWord(
              address.firstHost(), address.firstPort(), "srvr", false, STATUS_MILLIS);
      return answer
          .lines()
          .filter(line -> line.startsWith(beginning))
          .findFirst()
          .map(line -> line.substring(beginning.length()).strip());
    } catch (IOException | SSLContextException e) {
      return Optional.empty(); // not all servers answer such questions
    }
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
