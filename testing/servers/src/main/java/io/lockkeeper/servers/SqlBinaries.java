package io.lockkeeper.servers;

import io.lockkeeper.servers.SqlBinary.Origin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The programs of one database that run on this machine. Each is looked for once. */
public abstract sealed class SqlBinaries permits PostgresBinaries, MariaDbBinaries, MySqlBinaries {

  private final String product;
  private final Pattern version;
  private final Once machine = new Once(this::searchMachine);
  private final Once unpacked = new Once(this::searchClassPath);

  /**
   * @param product what the database is called
   * @param version finds the version, as its first group, in what the program says of itself
   */
  SqlBinaries(String product, Pattern version) {
    this.product = product;
    this.version = version;
  }

  /** The result of a search: a program, or what was wrong with those that are there. */
  private record Search(Optional<SqlBinary> found, List<String> failures) {}

  /** Returns the programs that are installed, the best first. */
  abstract Stream<Path> installed();

  /** Returns the programs of a name in the folders of the {@code PATH} and in further ones. */
  static Stream<Path> programs(String name, List<Path> furtherFolders) {
    return Stream.concat(Platform.path().stream(), furtherFolders.stream())
        .map(folder -> folder.resolve(name))
        .filter(Files::isExecutable);
  }

  /** Returns the question for its version. */
  List<String> versionQuestion(Path program) {
    return List.of(program.toString(), "--version");
  }

  /** Returns what the program lacks to make a database, or null. */
  abstract @Nullable String missing(Path program);

  /** Returns what is to be installed for the program from the class path, in parentheses. */
  String needs() {
    return "";
  }

  /** Unpacks the program from the class path, if it is there for this machine. */
  abstract Optional<Path> unpack() throws IOException;

  /**
   * Returns the server whose program this is.
   *
   * @throws ServerStartException if it does not run
   */
  public final SqlBinary at(Path program) {
    return describe(program, Origin.EXPLICIT);
  }

  /** Returns the one that is installed, if it runs. */
  public final Optional<SqlBinary> onMachine() {
    return machine.get().found();
  }

  /** Returns the one from the class path, if it has one that runs on this machine. */
  public final Optional<SqlBinary> embedded() {
    return unpacked.get().found();
  }

  /** Returns all that run on this machine, the machine's own first. */
  public final List<SqlBinary> available() {
    return Stream.of(onMachine(), embedded()).flatMap(Optional::stream).toList();
  }

  /** Returns the machine's own, or else the embedded one, if there is any. */
  public final Optional<SqlBinary> preferred() {
    return onMachine().or(this::embedded);
  }

  /** Returns why there is none, if there is none. */
  public final String whyNone() {
    List<String> failures = new ArrayList<>(machine.get().failures());
    failures.addAll(unpacked.get().failures());
    return failures.isEmpty()
        ? "no " + product + " was found for " + Platform.name()
        : "no " + product + " that runs here" + needs() + ": " + String.join("; ", failures);
  }

  private SqlBinary describe(Path program, Origin origin) {
    try {
      Process process =
          new ProcessBuilder(versionQuestion(program)).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher matcher = version.matcher(output);
      if (!matcher.find()) {
        throw new ServerStartException(program + " --version said: " + output.strip(), null);
      }
      String missing = missing(program);
      if (missing != null) {
        throw new ServerStartException(program + " lacks " + missing, null);
      }
      return new SqlBinary(product, program, matcher.group(1), origin);
    } catch (IOException e) {
      throw new ServerStartException("cannot run " + program, e);
    }
  }

  /** Returns the first that runs: others are made for another system, or something is missing. */
  private Search firstOf(Stream<Path> programs, Origin origin) {
    List<String> failures = new ArrayList<>();
    for (Path program : programs.toList()) {
      try {
        return new Search(Optional.of(describe(program, origin)), List.of());
      } catch (ServerStartException e) {
        failures.add(e.getMessage());
      }
    }
    return new Search(Optional.empty(), failures);
  }

  private Search searchMachine() {
    return firstOf(installed(), Origin.MACHINE);
  }

  private Search searchClassPath() {
    try {
      return firstOf(unpack().stream(), Origin.EMBEDDED);
    } catch (IOException e) {
      throw new ServerStartException("cannot unpack " + product, e);
    }
  }

  /** A search that is made when first asked for: unpacking takes seconds. */
  private static final class Once {

    private final Supplier<Search> search;
    private @Nullable Search result;

    Once(Supplier<Search> search) {
      this.search = search;
    }

    synchronized Search get() {
      if (result == null) {
        result = search.get();
      }
      return result;
    }
  }
}
