package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.servers.ZooKeeperServer;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A way to a server on which a request can be held up, and with it all that its client sends after
 * it, so that others are quicker between two requests of one step.
 */
final class RequestGate implements AutoCloseable {

  private static final int TYPE_AT = 4;

  /** More than a sign of life, of which some may have come. */
  private static final int REQUEST_BYTES = 100;

  /** A request that is to be held up. */
  static final class Stop {

    private final String path;
    private final Set<Integer> types;
    private final CountDownLatch hasCome = new CountDownLatch(1);
    private final CountDownLatch mayGo = new CountDownLatch(1);
    private volatile @Nullable InputStream behind;

    private Stop(String path, Set<Integer> types) {
      this.path = path;
      this.types = types;
    }

    void awaitHeld() {
      hold(hasCome);
    }

    /** Returns whether a further request has come behind the one that is held up. */
    boolean isFollowed() {
      try {
        return Objects.requireNonNull(behind).available() > REQUEST_BYTES;
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    void go() {
      mayGo.countDown();
    }

    private boolean isAbout(byte[] request) {
      return request.length >= TYPE_AT + Integer.BYTES
          && types.contains(ByteBuffer.wrap(request).getInt(TYPE_AT))
          && new String(request, StandardCharsets.ISO_8859_1).contains(path);
    }
  }

  private final ServerSocket door;
  private final ZooKeeperServer server;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<Socket> clients = new CopyOnWriteArrayList<>();
  private final List<Stop> stops = new CopyOnWriteArrayList<>();

  RequestGate(ZooKeeperServer server) {
    this.server = server;
    try {
      door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    start(this::accept);
  }

  String url() {
    return "zookeeper://" + ZooKeeperServer.HOST + ":" + door.getLocalPort();
  }

  /** Holds up the next request of one of these types (as ZooKeeper numbers them) about a path. */
  Stop stop(String path, Integer... types) {
    Stop stop = new Stop(path, Set.of(types));
    stops.add(stop);
    return stop;
  }

  /** Cuts the clients off; what they have sent goes on. */
  void cut() {
    try {
      for (Socket client : clients) {
        client.close();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = door.accept();
      clients.add(client);
      Socket upstream = new Socket(server.address(), server.port());
      client.setTcpNoDelay(true);
      upstream.setTcpNoDelay(true);
      sockets.addAll(List.of(client, upstream));
      start(() -> forward(client, upstream));
      start(() -> upstream.getInputStream().transferTo(client.getOutputStream()));
    }
  }

  private void forward(Socket client, Socket upstream) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    DataOutputStream out = new DataOutputStream(upstream.getOutputStream());
    while (true) {
      byte[] request = in.readNBytes(in.readInt());
      Optional<Stop> wanted = stops.stream().filter(stop -> stop.isAbout(request)).findFirst();
      wanted.ifPresent(
          stop -> {
            stops.remove(stop);
            stop.behind = in;
            stop.hasCome.countDown();
            hold(stop.mayGo);
          });
      byte[] frame =
          ByteBuffer.allocate(Integer.BYTES + request.length)
              .putInt(request.length)
              .put(request)
              .array();
      out.write(frame);
    }
  }

  private static void hold(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private interface Loop {
    void run() throws IOException;
  }

  private static void start(Loop loop) {
    Thread thread =
        new Thread(
            () -> {
              try {
                loop.run();
              } catch (IOException closed) {
                return;
              }
            },
            "request-gate");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    stops.forEach(Stop::go);
    try {
      door.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
