package io.lockkeeper.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An {@code etcd} program that runs on this machine.
 *
 * @param path where it is
 * @param version such as {@code 3.4.23}
 */
public record EtcdBinary(Path path, String version) {

  /** Says how to get one. */
  public static final String WHY_NONE =
      "no etcd that runs on the PATH: install one from 3.4 on (Debian's package is etcd-server)";

  private static final Pattern VERSION = Pattern.compile("etcd Version: (\\d+\\.\\d+\\.\\d+)");

  /** Returns the first {@code etcd} on the {@code PATH} that runs. */
  public static Optional<EtcdBinary> onPath() {
    return Found.ON_PATH;
  }

  /**
   * Returns the one on the {@code PATH}.
   *
   * @throws ServerStartException if there is none
   */
  public static EtcdBinary preferred() {
    return onPath().orElseThrow(() -> new ServerStartException(WHY_NONE, null));
  }

  @Override
  public String toString() {
    return "etcd " + version;
  }

  private static @Nullable EtcdBinary describe(Path program) {
    try {
      Process process =
          new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher matcher = VERSION.matcher(output);
      return matcher.find() ? new EtcdBinary(program, matcher.group(1)) : null;
    } catch (IOException doesNotRun) {
      return null;
    }
  }

  /** Searched for once, when first asked. */
  private static final class Found {
    static final Optional<EtcdBinary> ON_PATH =
        Platform.path().stream()
            .map(folder -> folder.resolve("etcd"))
            .filter(Files::isExecutable)
            .map(EtcdBinary::describe)
            .filter(Objects::nonNull)
            .findFirst();
  }
}
