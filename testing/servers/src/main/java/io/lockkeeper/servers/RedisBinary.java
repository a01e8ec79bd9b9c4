package io.lockkeeper.servers;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code redis-server} program that runs on this machine, or a {@code valkey-server}: Valkey is
 * the same server under another name.
 *
 * @param path where it is
 * @param version such as {@code 7.0.15}
 * @param origin where it came from
 */
public record RedisBinary(Path path, String version, Origin origin) {

  /** Where a binary came from. */
  public enum Origin {
    /** From the folders in the environment variable {@code PATH}. */
    PATH,
    /** From the class path, unpacked into a temporary file. */
    EMBEDDED,
    /** Named by the caller. */
    EXPLICIT
  }

  private static final String VALKEY = "valkey-server";
  private static final Pattern VERSION = Pattern.compile("v=(\\d+\\.\\d+\\.\\d+)");

  /** The binaries in the embedded-redis jar, by system and architecture. */
  private static final Map<String, String> EMBEDDED_RESOURCES =
      Map.of(
          "linux-amd64", "/redis-server-6.2.6-v5-linux-amd64",
          "linux-arm64", "/redis-server-6.2.7-linux-arm64",
          "darwin-amd64", "/redis-server-6.2.6-v5-darwin-amd64",
          "darwin-arm64", "/redis-server-6.2.6-v5-darwin-arm64");

  /**
   * Returns the binary at {@code path}.
   *
   * @throws ServerStartException if it does not run
   */
  public static RedisBinary at(Path path) {
    return describe(path, Origin.EXPLICIT);
  }

  /** Returns the first {@code redis-server} from 6.2 on, on the {@code PATH}, that runs. */
  public static Optional<RedisBinary> onPath() {
    return Found.ON_PATH;
  }

  /** Returns the first {@code valkey-server} on the {@code PATH} that runs. */
  public static Optional<RedisBinary> valkey() {
    return FoundValkey.ON_PATH;
  }

  /** Returns the binary from the class path, if it has one that runs on this machine. */
  public static Optional<RedisBinary> embedded() {
    return Unpacked.EMBEDDED;
  }

  /** Returns all of Redis that run on this machine, the one on the {@code PATH} first. */
  public static List<RedisBinary> available() {
    List<RedisBinary> all = new ArrayList<>();
    onPath().ifPresent(all::add);
    embedded().ifPresent(all::add);
    return List.copyOf(all);
  }

  /**
   * Returns the one on the {@code PATH}, or else the embedded one.
   *
   * @throws ServerStartException if there is neither
   */
  public static RedisBinary preferred() {
    return onPath()
        .or(RedisBinary::embedded)
        .orElseThrow(
            () ->
                new ServerStartException(
                    "no redis-server that runs on "
                        + Platform.name()
                        + ": install one from 6.2 on, or libssl 3, which the one that comes as a"
                        + " Maven dependency needs",
                    null));
  }

  /** Returns whether this version is {@code major.minor} or newer. */
  public boolean isAtLeast(int major, int minor) {
    String[] parts = version.split("\\.", -1);
    int mine = Integer.parseInt(parts[0]);
    return mine > major || (mine == major && Integer.parseInt(parts[1]) >= minor);
  }

  @Override
  public String toString() {
    String product = path.endsWith(VALKEY) ? "Valkey " : "Redis ";
    return product + version + " (" + origin.name().toLowerCase(Locale.ROOT) + ")";
  }

  private static RedisBinary describe(Path path, Origin origin) {
    try {
      Process process =
          new ProcessBuilder(path.toString(), "--version").redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher matcher = VERSION.matcher(output);
      if (!matcher.find()) {
        throw new ServerStartException(path + " --version said: " + output.strip(), null);
      }
      return new RedisBinary(path, matcher.group(1), origin);
    } catch (IOException e) {
      throw new ServerStartException("cannot run " + path, e);
    }
  }

  private static Optional<RedisBinary> describeIfItRuns(Path path, Origin origin) {
    try {
      return Optional.of(describe(path, origin));
    } catch (ServerStartException e) {
      return Optional.empty(); // made for another system, or libraries are missing
    }
  }

  private static Optional<RedisBinary> searchPath(String program) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      Path candidate = Path.of(folder, program);
      if (!folder.isEmpty() && Files.isExecutable(candidate)) {
        Optional<RedisBinary> binary =
            describeIfItRuns(candidate, Origin.PATH).filter(it -> it.isAtLeast(6, 2));
        if (binary.isPresent()) {
          return binary;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<RedisBinary> unpack() {
    String resource = EMBEDDED_RESOURCES.get(Platform.name());
    if (resource == null) {
      return Optional.empty();
    }
    try (InputStream in = RedisBinary.class.getResourceAsStream(resource)) {
      if (in == null) {
        return Optional.empty();
      }
      Path file = Files.createTempFile("lockkeeper-redis-server", "");
      file.toFile().deleteOnExit();
      ServerProcess.writeProgram(file, in.readAllBytes());
      return describeIfItRuns(file, Origin.EMBEDDED);
    } catch (IOException e) {
      throw new ServerStartException("cannot unpack " + resource, e);
    }
  }

  /** Searched for once, when first asked. */
  private static final class Found {
    static final Optional<RedisBinary> ON_PATH = searchPath("redis-server");
  }

  /** Searched for once, when first asked. */
  private static final class FoundValkey {
    static final Optional<RedisBinary> ON_PATH = searchPath(VALKEY);
  }

  /** Unpacked once, when first asked. */
  private static final class Unpacked {
    static final Optional<RedisBinary> EMBEDDED = unpack();
  }
}
