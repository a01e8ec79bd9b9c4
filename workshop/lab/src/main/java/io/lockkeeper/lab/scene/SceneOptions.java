package io.lockkeeper.lab.scene;

import io.lockkeeper.lab.process.Ranges;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code lockkeeper lab SCENE...}. What is out of range never gets in. */
public final class SceneOptions {

  @Parameters(
      paramLabel = "SCENE",
      arity = "0..*",
      converter = SceneName.class,
      description = "The scenes to show, one after the other; --list lists them.")
  private List<Scene> scenes = List.of();

  @Option(names = "--list", description = "List the scenes.")
  boolean list;

  @Option(
      names = "--page",
      description = "Serve a page on which scenes are run and watched, on this machine alone.")
  boolean page;

  @Option(names = "--all", description = "Show all scenes.")
  private boolean all;

  @Option(
      names = "--users",
      paramLabel = "N",
      defaultValue = "100",
      description = "Users who order at the same time, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private int users;

  @Option(
      names = "--orders",
      paramLabel = "N",
      defaultValue = "50",
      description =
          "Orders by each, 0 to 100000; 0 shows the faults alone. Default: ${DEFAULT-VALUE}.")
  private int orders;

  @Option(
      names = "--stock",
      paramLabel = "N",
      description = "Pieces to sell, 1 to 1000000000. Default: one for each order.")
  private @Nullable Integer stock;

  @Option(
      names = "--store",
      paramLabel = "URL",
      converter = PlaceUrl.class,
      description =
          "A Redis, ZooKeeper, etcd or DynamoDB to use instead of one that is started, or, for locks"
              + " alone, a PostgreSQL, MySQL or SQLite; can be given several times.")
  private List<String> stores = List.of();

  @Option(
      names = "--database",
      paramLabel = "URL",
      converter = PlaceUrl.class,
      description = "The database of the stock to use instead of a MariaDB that is started.")
  private @Nullable String database;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = OutputFile.class,
      description = "Write the figures to FILE.")
  @Nullable Path json;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      converter = OutputFile.class,
      description = "Write a page to FILE that shows who held the lock when.")
  @Nullable Path report;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of what is random. Default: ${DEFAULT-VALUE}.")
  private long seed;

  public boolean isEmpty() {
    return scenes.isEmpty() && !all && !list && !page;
  }

  /**
   * Checks the numbers.
   *
   * @throws CommandLine.ParameterException if one is out of range
   */
  public void check(CommandLine command) {
    Ranges.check(command, "--users", users, 1, 1_000);
    Ranges.check(command, "--orders", orders, 0, 100_000);
    Ranges.check(command, "--stock", stock == null ? 1 : stock, 1, 1_000_000_000);
  }

  List<Scene> scenes() {
    return all ? Scenes.list() : scenes;
  }

  LoadPlan plan() {
    return new LoadPlan(users, orders, stock == null ? Math.max(1, users * orders) : stock, seed);
  }

  Map<Place, String> stores() {
    Map<Place, String> urls = new EnumMap<>(Place.class);
    stores.forEach(url -> urls.put(Place.of(url), url));
    if (database != null) {
      urls.put(Place.SQL, database);
    }
    return urls;
  }

  static final class PlaceUrl implements ITypeConverter<String> {
    @Override
    public String convert(String url) {
      try {
        Place.of(url);
        return url;
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }

  static final class SceneName implements ITypeConverter<Scene> {
    @Override
    public Scene convert(String name) {
      return Scenes.find(name)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "no scene '" + name + "': 'lockkeeper lab --list' lists them"));
    }
  }

  /** A file that can probably be written: better to say no now than after the run. */
  static final class OutputFile implements ITypeConverter<Path> {
    @Override
    public Path convert(String name) {
      Path file = Path.of(name).toAbsolutePath();
      Path folder = file.getParent();
      if (Files.isDirectory(file)) {
        throw new TypeConversionException("must be a file, but '" + name + "' is a folder");
      }
      if (folder == null || !Files.isDirectory(folder)) {
        throw new TypeConversionException("the folder of '" + name + "' does not exist");
      }
      if (!Files.isWritable(Files.exists(file) ? file : folder)) {
        throw new TypeConversionException("'" + name + "' cannot be written");
      }
      return file;
    }
  }
}
