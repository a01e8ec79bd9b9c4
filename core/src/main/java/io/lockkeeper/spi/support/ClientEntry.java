package io.lockkeeper.spi.support;

import io.lockkeeper.ClientInfo;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entry that tells other clients of a store who a client is: three lines, the process id, the
 * host and the name. What is not known is an empty line, or 0 for the process id.
 */
public final class ClientEntry {

  private static final int LINES = 3;

  private ClientEntry() {}

  /** Returns a client's entry, in UTF-8. */
  public static byte[] bytes(ClientInfo client) {
    String name = client.name() == null ? "" : client.name();
    String text = stored(client.pid()) + "\n" + line(client.host()) + "\n" + name;
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads the entry of the client with this id; empty if it is none.
   *
   * @throws NumberFormatException if its process id is not a number
   */
  public static Optional<ClientInfo> parse(String id, String entry) {
    String[] lines = entry.split("\n", LINES);
    if (lines.length < LINES) {
      return Optional.empty();
    }
    String host = lines[1].isEmpty() ? null : lines[1];
    return Optional.of(new ClientInfo(id, lines[2], host, known(Long.parseLong(lines[0]))));
  }

  /** Returns a process id as stores keep it: 0 if it is not known. */
  public static long stored(@Nullable Long pid) {
    return pid == null ? 0 : pid;
  }

  /** Returns a process id that a store has kept. */
  public static @Nullable Long known(long stored) {
    return stored == 0 ? null : stored;
  }

  private static String line(@Nullable String text) {
    return text == null ? "" : text.replace('\n', ' ');
  }
}
