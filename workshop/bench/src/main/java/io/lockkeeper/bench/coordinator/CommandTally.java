package io.lockkeeper.bench.coordinator;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts each command that the server executes, by name, apart for clients and for scripts: {@code
 * MONITOR} tells the two from each other, which the server's own statistics do not.
 */
final class CommandTally implements AutoCloseable {

  /** Such as {@code +1700000000.000001 [0 127.0.0.1:4711] "GET" "key"}, or {@code [0 lua]}. */
  private static final Pattern LINE =
      Pattern.compile("^\\+[0-9.]+ \\[\\d+ ([^\\]]+)\\] \"([^\"]*)\".*");

  private static final String END = "lockkeeper-bench-end";
  private static final long END_LIMIT_MILLIS = 10_000;

  private final String host;
  private final int port;
  private final Socket socket;
  private final Thread reader;
  private final SortedMap<String, Long> sent = new TreeMap<>();
  private final SortedMap<String, Long> inScripts = new TreeMap<>();

  CommandTally(String host, int port) throws IOException {
    this.host = host;
    this.port = port;
    socket = new Socket(host, port);
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
    if (!"+OK".equals(lines.readLine())) {
      throw new IOException("the server refuses MONITOR");
    }
    reader = new Thread(() -> readAll(lines), "tally");
    reader.setDaemon(true);
    reader.start();
  }

  private void readAll(BufferedReader lines) {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.contains(END)) {
          return;
        }
        count(line);
      }
    } catch (IOException closed) {
      // The end: close() waited long enough and cut the connection.
    }
  }

  private void count(String line) {
    Matcher matcher = LINE.matcher(line);
    if (matcher.matches()) {
      boolean script = matcher.group(1).equals("lua");
      String command = matcher.group(2).toUpperCase(Locale.ROOT);
      (script ? inScripts : sent).merge(command, 1L, Long::sum);
    }
  }

  /** Returns what clients sent; call it after {@link #close()}. */
  SortedMap<String, Long> sent() {
    return sent;
  }

  /** Returns what scripts executed; call it after {@link #close()}. */
  SortedMap<String, Long> inScripts() {
    return inScripts;
  }

  /** Waits until all that the server has done so far is counted, and ends. */
  @Override
  public void close() throws IOException {
    try (Socket marker = new Socket(host, port)) {
      marker.getOutputStream().write(("ECHO " + END + "\r\n").getBytes(StandardCharsets.US_ASCII));
      reader.join(END_LIMIT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    socket.close();
  }
}
