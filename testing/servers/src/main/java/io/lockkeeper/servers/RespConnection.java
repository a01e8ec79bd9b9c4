package io.lockkeeper.servers;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a Redis server that sends one command and waits for its reply. Not thread-safe.
 *
 * <p>It exists so that a test can look at a server without the driver that is being tested.
 */
public final class RespConnection implements Closeable {

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  private RespConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
    this.out = new BufferedOutputStream(socket.getOutputStream());
  }

  /**
   * Connects {@code socket}, and closes it if that fails.
   *
   * @param timeout limits connecting and every reply
   */
  public static RespConnection open(Socket socket, String host, int port, Duration timeout)
      throws IOException {
    try {
      int millis = Math.toIntExact(timeout.toMillis());
      socket.connect(new InetSocketAddress(host, port), millis);
      socket.setSoTimeout(millis);
      socket.setTcpNoDelay(true);
      return new RespConnection(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Sends a command and returns its reply: a {@code String}, a {@code Long}, a {@code List} of
   * these, or null.
   *
   * @throws RedisErrorException if the reply is an error
   */
  public @Nullable Object call(String... command) throws IOException {
    write("*" + command.length + "\r\n");
    for (String part : command) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      write("$" + bytes.length + "\r\n");
      out.write(bytes);
      write("\r\n");
    }
    out.flush();
    return readReply();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private void write(String ascii) throws IOException {
    out.write(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  private @Nullable Object readReply() throws IOException {
    int type = in.read();
    if (type < 0) {
      throw new EOFException("the server closed the connection");
    }
    String line = readLine();
    return switch (type) {
      case '+' -> line;
      case '-' -> throw new RedisErrorException(line);
      case ':' -> Long.valueOf(line);
      case '$' -> readBulk(Integer.parseInt(line));
      case '*' -> readList(Integer.parseInt(line));
      default -> throw new IOException("unexpected reply type '" + (char) type + "'");
    };
  }

  private @Nullable String readBulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length || in.read() != '\r' || in.read() != '\n') {
      throw new EOFException("the server closed the connection within a reply");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private @Nullable List<@Nullable Object> readList(int size) throws IOException {
    if (size < 0) {
      return null;
    }
    List<@Nullable Object> list = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      list.add(readReply());
    }
    return list;
  }

  private String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      int c = in.read();
      if (c < 0) {
        throw new EOFException("the server closed the connection within a reply");
      }
      if (c == '\r') {
        in.read();
        return line.toString();
      }
      line.append((char) c);
    }
  }
}
