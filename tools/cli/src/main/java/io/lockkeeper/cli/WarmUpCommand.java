package io.lockkeeper.cli;

import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.spi.StoreProvider;
import io.lockkeeper.spi.support.StoreProviders;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * Run once by the start script, so that the JVM can write down which classes a start needs; not for
 * people. It does what {@code exec} and {@code list} do, on a file of its own, and with a toy of a
 * Redis server.
 */
@Command(name = "warm-up", hidden = true)
final class WarmUpCommand implements Callable<Integer> {

  @Override
  public Integer call() throws IOException, URISyntaxException {
    for (StoreProvider provider : StoreProviders.all().usable()) {
      loadNeighbours(provider.getClass());
    }
    try (ToyRedis redis = new ToyRedis()) {
      Path folder = Files.createTempDirectory("lockkeeper-warm-up-");
      String file = "jdbc:sqlite:" + folder.resolve("locks.db");
      run("exec", "--store", redis.url(), "warm-up", "--", "true");
      run("exec", "--store", file, "--verbose", "warm-up", "--", "true");
      run("list", "--store", file);
      keepLibrary();
      for (String end : List.of("", "-wal", "-shm", "-journal")) {
        Files.deleteIfExists(folder.resolve("locks.db" + end));
      }
      Files.deleteIfExists(folder);
      return ExitStatus.OK;
    }
  }

  /** Keeps the library that SQLite's driver has unpacked; it would do so at each start. */
  private static void keepLibrary() throws IOException {
    String target = System.getProperty("lockkeeper.sqlite");
    if (target != null) {
      try (Stream<Path> files = Files.list(Path.of(System.getProperty("org.sqlite.tmpdir")))) {
        Optional<Path> library =
            files.filter(it -> it.toString().matches(".*sqlitejdbc\\.(so|dylib)")).findFirst();
        if (library.isPresent()) {
          Files.copy(library.get(), Path.of(target));
        }
      }
    }
  }

  /** Loads all classes of a jar: of a store that is not used here, say. */
  private static void loadNeighbours(Class<?> one) throws IOException, URISyntaxException {
    Path file = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isRegularFile(file)) {
      try (JarFile jar = new JarFile(file.toFile())) {
        jar.stream().map(JarEntry::getName).forEach(WarmUpCommand::loadClass);
      }
    }
  }

  private static void loadClass(String entry) {
    if (entry.endsWith(".class") && !entry.contains("-")) {
      String name = entry.substring(0, entry.lastIndexOf('.')).replace('/', '.');
      try {
        Class.forName(name, false, WarmUpCommand.class.getClassLoader());
      } catch (ClassNotFoundException | LinkageError e) {
        // then its store does not need it either
      }
    }
  }

  private static void run(String... arguments) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Main.commandLine(arguments).setOut(nowhere).setErr(nowhere).execute(arguments);
  }
}
