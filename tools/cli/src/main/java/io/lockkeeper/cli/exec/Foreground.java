package io.lockkeeper.cli.exec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether this process is in the group that its terminal speaks to. What the terminal sends
 * (Ctrl-C) has then reached the child too, and must not be sent to it again: many programs break
 * off hard at the second time.
 */
final class Foreground {

  private static final Path STAT = Path.of("/proc/self/stat");
  private static final int GROUP_FIELD = 2;
  private static final int TERMINAL_GROUP_FIELD = 5;

  private Foreground() {}

  static boolean isHere() {
    try {
      String stat =
          Files.isReadable(STAT) ? Files.readString(STAT) : fromPs(ProcessHandle.current().pid());
      return isForeground(stat);
    } catch (IOException e) {
      return false;
    }
  }

  /** Asks {@code ps} where there is no such file, and writes it as that would. */
  private static String fromPs(long pid) throws IOException {
    Process ps =
        new ProcessBuilder("/bin/ps", "-o", "pgid=,tpgid=", "-p", String.valueOf(pid)).start();
    String answer = new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    String[] groups = answer.strip().split("\\s+", -1);
    return groups.length < 2 ? "" : "() S 0 " + groups[0] + " 0 0 " + groups[1];
  }

  /**
   * Reads the line of {@code /proc/PID/stat}; the name in brackets may have brackets of its own.
   */
  static boolean isForeground(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split("\\s+", -1);
    return fields.length > TERMINAL_GROUP_FIELD
        && fields[GROUP_FIELD].equals(fields[TERMINAL_GROUP_FIELD]);
  }
}
