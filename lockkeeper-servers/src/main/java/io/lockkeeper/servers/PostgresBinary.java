package io.lockkeeper.servers;

import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A PostgreSQL that runs on this machine.
 *
 * @param folder where its programs are, {@code initdb} and {@code postgres} among them
 * @param version such as {@code 18.6}
 * @param origin where it came from
 */
public record PostgresBinary(Path folder, String version, Origin origin) {

  /** Where a binary came from. */
  public enum Origin {
    /** From the {@code PATH}, or from where Debian puts it. */
    MACHINE,
    /** From the class path, unpacked into a temporary folder. */
    EMBEDDED,
    /** Named by the caller. */
    EXPLICIT
  }

  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)");

  /** The archives in the artifacts with PostgreSQL's binaries, by system and architecture. */
  private static final Map<String, String> EMBEDDED_RESOURCES =
      Map.of(
          "linux-amd64", "/postgres-linux-x86_64.txz",
          "linux-arm64", "/postgres-linux-arm_64.txz");

  /** The folder of the unpacked archive is named after the version of its artifact. */
  private static final String EMBEDDED_NAME = "postgresql-18.6.0";

  /**
   * Returns the one whose programs are in {@code folder}.
   *
   * @throws ServerStartException if it does not run
   */
  public static PostgresBinary at(Path folder) {
    return describe(folder, Origin.EXPLICIT);
  }

  /** Returns the first on the {@code PATH} that runs, or else the newest that Debian installed. */
  public static Optional<PostgresBinary> onMachine() {
    return Found.ON_MACHINE;
  }

  /** Returns the one from the class path, if it has one that runs on this machine. */
  public static Optional<PostgresBinary> embedded() {
    return Embedded.BINARY;
  }

  /** Returns all that run on this machine, the machine's own first. */
  public static List<PostgresBinary> available() {
    List<PostgresBinary> all = new ArrayList<>();
    onMachine().ifPresent(all::add);
    embedded().ifPresent(all::add);
    return List.copyOf(all);
  }

  /** Returns the machine's own, or else the embedded one, if there is any. */
  public static Optional<PostgresBinary> preferred() {
    return onMachine().or(PostgresBinary::embedded);
  }

  /** Returns one of its programs. */
  Path program(String name) {
    return folder.resolve(name);
  }

  @Override
  public String toString() {
    return "PostgreSQL " + version;
  }

  private static PostgresBinary describe(Path folder, Origin origin) {
    Path program = folder.resolve("postgres");
    try {
      Process process =
          new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher matcher = VERSION.matcher(output);
      if (!matcher.find()) {
        throw new ServerStartException(program + " --version said: " + output.strip(), null);
      }
      return new PostgresBinary(folder, matcher.group(), origin);
    } catch (IOException e) {
      throw new ServerStartException("cannot run " + program, e);
    }
  }

  private static Optional<PostgresBinary> describeIfItRuns(Path folder, Origin origin) {
    try {
      return Optional.of(describe(folder, origin));
    } catch (ServerStartException e) {
      return Optional.empty(); // made for another system, or libraries are missing
    }
  }

  private static Optional<PostgresBinary> searchMachine() {
    return Stream.concat(Platform.path().stream(), debianFolders().stream())
        .filter(folder -> Files.isExecutable(folder.resolve("postgres")))
        .filter(folder -> Files.isExecutable(folder.resolve("initdb")))
        .flatMap(folder -> describeIfItRuns(folder, Origin.MACHINE).stream())
        .findFirst();
  }

  private static List<Path> debianFolders() {
    try (Stream<Path> versions = Files.list(DEBIAN)) {
      return versions
          .filter(version -> version.getFileName().toString().matches("\\d+"))
          .sorted(
              Comparator.comparing(
                      (Path version) -> Integer.parseInt(version.getFileName().toString()))
                  .reversed())
          .map(version -> version.resolve("bin"))
          .toList();
    } catch (IOException notDebian) {
      return List.of();
    }
  }

  private static Optional<PostgresBinary> unpack() {
    String resource = EMBEDDED_RESOURCES.get(Platform.name());
    URL archive = resource == null ? null : PostgresBinary.class.getResource(resource);
    if (archive == null) {
      return Optional.empty();
    }
    try {
      Path folder = UnpackedBinaries.of(EMBEDDED_NAME, UnpackedBinaries.archive(archive));
      return describeIfItRuns(folder.resolve("bin"), Origin.EMBEDDED);
    } catch (IOException e) {
      throw new ServerStartException("cannot unpack " + archive, e);
    }
  }

  /** Searched for once, when first asked. */
  private static final class Found {
    static final Optional<PostgresBinary> ON_MACHINE = searchMachine();
  }

  /** Unpacked once, when first asked: that takes a second. */
  private static final class Embedded {
    static final Optional<PostgresBinary> BINARY = unpack();
  }
}
