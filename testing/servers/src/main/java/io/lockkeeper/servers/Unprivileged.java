package io.lockkeeper.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A user without privileges, for programs that refuse to run as root. When this JVM is not root's,
 * it is the user of this JVM.
 *
 * <p>The programs are run by tools that become the program, so that its process is the one that was
 * started here, and can be killed and stopped as any other.
 */
final class Unprivileged {

  private static final String USER = "nobody";

  private final List<String> prefix;

  private Unprivileged(List<String> prefix) {
    this.prefix = prefix;
  }

  /**
   * Returns the user, and makes {@code folder} belong to it.
   *
   * @param folder an empty folder that this JVM has made
   * @throws ServerStartException if this JVM is root's and there is no way to become another user
   */
  static Unprivileged owning(Path folder) {
    try {
      if (!isRoot(folder)) {
        return new Unprivileged(List.of());
      }
      Files.setOwner(
          folder,
          folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER));
      return new Unprivileged(wayToBecome(uid(folder)));
    } catch (IOException e) {
      throw new ServerStartException(
          "this runs as root, and " + folder + " cannot be given to the user " + USER, e);
    }
  }

  /**
   * Returns whether this JVM runs as root.
   *
   * @param folder one that this JVM has made
   */
  static boolean isRoot(Path folder) {
    try {
      return uid(folder) == 0;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Returns the command that runs {@code command} as this user. */
  List<String> command(List<String> command) {
    return Stream.concat(prefix.stream(), command.stream()).toList();
  }

  private static int uid(Path folder) throws IOException {
    return (Integer) Files.getAttribute(folder, "unix:uid");
  }

  private static List<String> wayToBecome(int uid) {
    List<List<String>> ways =
        List.of(
            List.of("setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups", "--"),
            List.of("chroot", "--userspec=" + uid + ":" + uid, "--groups=", "--skip-chdir", "/"));
    List<String> failures = new ArrayList<>();
    for (List<String> way : ways) {
      String failure = failureOf(Stream.concat(way.stream(), Stream.of("true")).toList());
      if (failure == null) {
        return way;
      }
      failures.add(failure);
    }
    throw new ServerStartException(
        "this server does not run as root, and no way was found to run it as "
            + USER
            + ": "
            + String.join("; ", failures)
            + ". Run as another user instead.",
        null);
  }

  /** Returns why a command fails, or null if it does not. */
  private static @Nullable String failureOf(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? null : command.get(0) + " said: " + output.strip();
    } catch (IOException e) {
      return e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerStartException("interrupted", e);
    }
  }
}
