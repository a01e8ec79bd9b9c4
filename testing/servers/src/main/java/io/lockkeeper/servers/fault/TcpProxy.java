package io.lockkeeper.servers.fault;

import io.lockkeeper.servers.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A TCP proxy on loopback that can be told to misbehave.
 *
 * <p>It starts out faithful. Its faults apply to the connections that are open and to later ones
 * until {@link #heal}. All methods may be called from any thread.
 */
public final class TcpProxy implements AutoCloseable {

  /** One of the two ways of a connection. */
  public enum Direction {
    /** From the client to the server: requests. */
    TO_SERVER,
    /** From the server to the client: replies and pushes. */
    TO_CLIENT
  }

  /** The requests of a ZooKeeper client. */
  public enum Request {
    /** The children of a node. */
    LIST,
    /** The data of a node, or whether it is there. */
    READ,
    /** Any change, or several in one transaction. */
    WRITE
  }

  private enum Protocol {
    ANY,
    REDIS,
    ZOOKEEPER
  }

  /** A pause before requests of one kind, or now and then before any if there is no kind. */
  private record Pause(Optional<Request> kind, Duration longest) {}

  private static final Pause NO_PAUSE = new Pause(Optional.empty(), Duration.ZERO);

  /** Now and then is one time in so many. */
  private static final int STUTTER = 3;

  private volatile InetSocketAddress server;
  private final ServerSocket listener;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final Set<Direction> swallowed = ConcurrentHashMap.newKeySet();
  private volatile long delayNanos;
  private final AtomicInteger repliesToLoss = new AtomicInteger();
  private final Protocol protocol;
  private volatile Pause pause = NO_PAUSE;
  private volatile boolean refusing;
  private volatile boolean losingPushes;

  /** Starts a proxy for the server at {@code host} and {@code port}. */
  public TcpProxy(String host, int port) {
    this(host, port, Protocol.ANY);
  }

  /** Starts a proxy for a Redis server, which can tell its replies from its pushes. */
  public static TcpProxy ofRedis(String host, int port) {
    return new TcpProxy(host, port, Protocol.REDIS);
  }

  /** Starts a proxy for a ZooKeeper server, which can tell requests from each other. */
  public static TcpProxy ofZooKeeper(String host, int port) {
    return new TcpProxy(host, port, Protocol.ZOOKEEPER);
  }

  private TcpProxy(String host, int port, Protocol protocol) {
    this.protocol = protocol;
    this.server = new InetSocketAddress(host, port);
    this.listener = Ports.listen();
    daemon("tcp-proxy-accept", this::acceptAll);
  }

  /** Returns the port that clients connect to, on 127.0.0.1. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Delays every byte, in both directions. Zero ends that. */
  public void delay(Duration delay) {
    this.delayNanos = delay.toNanos();
  }

  /**
   * Drops every byte that goes in this direction; the connections stay open. Requests swallowed:
   * the server hears nothing. Replies swallowed: nobody learns what it carries out. Both: a cable
   * pulled.
   */
  public void swallow(Direction direction) {
    swallowed.add(direction);
  }

  /** Drops the messages to subscribers, and nothing else; only {@link #ofRedis}. */
  public void losePushes() {
    requireRedis();
    losingPushes = true;
  }

  /**
   * Breaks, with a reset, the connection on which the {@code n}th reply from now arrives, in its
   * place: the request is carried out, and nobody learns of it. Only {@link #ofRedis}.
   */
  public void loseReply(int n) {
    requireRedis();
    repliesToLoss.set(n);
  }

  /**
   * Lets requests of a kind, and what comes behind them on their connection, arrive up to so much
   * later: each by a time of its own. Only {@link #ofZooKeeper}.
   */
  public void slow(Request kind, Duration longest) {
    if (protocol != Protocol.ZOOKEEPER) {
      throw new IllegalStateException("cannot tell requests from each other");
    }
    pause = new Pause(Optional.of(kind), longest);
  }

  /** Lets some requests, whichever, and what comes behind them arrive up to so much later. */
  public void stutter(Duration longest) {
    pause = new Pause(Optional.empty(), longest);
  }

  private void requireRedis() {
    if (!readsReplies()) {
      throw new IllegalStateException("cannot tell what the server sends");
    }
  }

  /** Closes every connection in good order. */
  public void cut() {
    links.forEach(Link::close);
  }

  /** Breaks every connection with a reset. */
  public void reset() {
    links.forEach(Link::reset);
  }

  /** Breaks every connection with a reset, and every later one at once. */
  public void refuse() {
    refusing = true;
    reset();
  }

  /** Breaks every connection with a reset, and leads later ones to another server. */
  public void leadTo(String host, int port) {
    server = new InetSocketAddress(host, port);
    reset();
  }

  /** Ends every fault. Connections that had bytes swallowed are reset: their streams have holes. */
  public void heal() {
    refusing = false;
    losingPushes = false;
    repliesToLoss.set(0);
    delayNanos = 0;
    pause = NO_PAUSE;
    if (!swallowed.isEmpty()) {
      swallowed.clear();
      reset();
    }
  }

  /** Returns how many connections are open. */
  public int connections() {
    return links.size();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }

  long delayNanos() {
    return delayNanos;
  }

  boolean readsReplies() {
    return protocol == Protocol.REDIS;
  }

  boolean readsRequests() {
    return protocol == Protocol.ZOOKEEPER;
  }

  /** Returns how long a request of this kind rests before it goes on to the server. */
  long pauseNanos(Optional<Request> kind) {
    Pause now = pause;
    if (now.longest().isZero()) {
      return 0;
    }
    ThreadLocalRandom random = ThreadLocalRandom.current(); // times, which no seed repeats anyway
    boolean rests = now.kind().isPresent() ? now.kind().equals(kind) : random.nextInt(STUTTER) == 0;
    return rests ? random.nextLong(now.longest().toNanos()) : 0;
  }

  boolean losesPushes() {
    return losingPushes;
  }

  boolean losesThisReply() {
    return repliesToLoss.getAndUpdate(left -> Math.max(0, left - 1)) == 1;
  }

  boolean swallows(Direction direction) {
    return swallowed.contains(direction);
  }

  void forget(Link link) {
    links.remove(link);
  }

  static void daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void acceptAll() {
    while (!listener.isClosed()) {
      try {
        connect(listener.accept());
      } catch (IOException e) {
        // Either the listener was closed, which ends the loop, or this connection has come to
        // grief.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    if (refusing) {
      Link.reset(client);
      return;
    }
    Socket upstream = new Socket();
    try {
      upstream.connect(server);
    } catch (IOException unreachable) {
      upstream.close();
      Link.reset(client);
      return;
    }
    Link link = new Link(this, client, upstream);
    links.add(link);
    link.start();
    if (refusing || listener.isClosed()) {
      link.reset();
    }
  }
}
