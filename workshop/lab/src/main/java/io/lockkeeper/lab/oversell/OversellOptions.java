package io.lockkeeper.lab.oversell;

import io.lockkeeper.cli.console.WholeNumber;
import io.lockkeeper.lab.oversell.contest.Plan;
import io.lockkeeper.lab.oversell.shop.Shops;
import io.lockkeeper.lab.oversell.shop.StoreKind;
import io.lockkeeper.lab.oversell.strategy.Strategies;
import io.lockkeeper.lab.oversell.strategy.Strategy;
import io.lockkeeper.lab.report.OutputFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code lockkeeper oversell}. What is out of range never gets in. */
final class OversellOptions {

  private static final String USUAL_STORE = "redis";

  @Option(
      names = "--store",
      paramLabel = "STORE",
      converter = StoreName.class,
      description = {
        "The store to run in: one that is started for the run (redis, zookeeper, etcd, mariadb,"
            + " postgresql, mysql, sqlite), or the URL of one that is there, such as"
            + " redis://localhost:6379, zookeeper://localhost:2181,"
            + " etcd://localhost:2379, jdbc:postgresql://localhost/db?user=me, jdbc:mariadb: or jdbc:sqlite:FILE.",
        "Default: redis."
      })
  private @Nullable String store;

  @Option(
      names = "--all",
      description =
          "Run in every store that can be started here, one after the other: Redis, ZooKeeper,"
              + " etcd, MariaDB, PostgreSQL, SQLite.")
  boolean all;

  @Option(
      names = "--variant",
      paramLabel = "NAME",
      split = ",",
      converter = StrategyName.class,
      description = {
        "What to run, several separated by commas: none, lock, fairLock, jvm; in Redis also setnx"
            + " and watch; in SQL update, forUpdate and version; in ZooKeeper setData.",
        "Default: all but jvm, which is one process with all threads and a ReentrantLock; watch"
            + " only with --all."
      })
  private @Nullable List<Strategy> variants;

  @Option(
      names = "--processes",
      paramLabel = "N",
      converter = Processes.class,
      defaultValue = "2",
      description = "Worker processes, 1 to 64. Default: ${DEFAULT-VALUE}.")
  private int processes;

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = Threads.class,
      defaultValue = "50",
      description = "Threads in each process, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private int threads;

  @Option(
      names = "--orders",
      paramLabel = "N",
      converter = Orders.class,
      description = "Orders by each thread, 1 to 100000. Default: 50; 20 with --all.")
  private @Nullable Integer orders;

  @Option(
      names = "--stock",
      paramLabel = "N",
      converter = Stock.class,
      description = "Pieces to sell, 1 to 1000000000. Default: one for each order.")
  private @Nullable Integer stock;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      converter = WarmUp.class,
      defaultValue = "3",
      description =
          "How long each variant runs before it is measured, 0 to 60. Default: ${DEFAULT-VALUE}.")
  private int warmUpSeconds;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = OutputFile.class,
      description = "Write the figures to FILE.")
  @Nullable Path json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      converter = OutputFile.class,
      description = "Write a report with plots to FILE, to be opened in a browser.")
  @Nullable Path html;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of what is random (who starts first). Default: a new one.")
  private @Nullable Long seed;

  /**
   * Checks what one option alone cannot.
   *
   * @throws ParameterException if they do not fit together
   */
  void check(CommandLine command) {
    if (all && store != null) {
      throw new ParameterException(command, "--all starts its own stores: leave out --store");
    }
    if (variants == null) {
      return;
    }
    StoreKind kind = embedded().map(EmbeddedStore::kind).orElseGet(() -> Shops.kind(store()));
    for (Strategy variant : variants) {
      if (!all && !variant.stores().contains(kind)) {
        throw new ParameterException(
            command,
            "--variant: "
                + variant.name()
                + " is not for "
                + kind.title()
                + ", but one of "
                + names(Strategies.all(kind))
                + " is");
      }
    }
  }

  private static String names(List<Strategy> strategies) {
    return String.join(", ", strategies.stream().map(Strategy::name).toList());
  }

  /** Returns the store to start for the run, if it is to be one. */
  Optional<EmbeddedStore> embedded() {
    return EmbeddedStore.named(store());
  }

  /** Returns the name or the URL of the store. */
  String store() {
    return store == null ? USUAL_STORE : store;
  }

  /** Returns what they ask for in a store of this kind. */
  Plan plan(StoreKind kind) {
    Set<Strategy> chosen =
        new LinkedHashSet<>(variants == null ? Strategies.usual(kind, all) : variants);
    return plan(Strategies.all(kind).stream().filter(chosen::contains).toList());
  }

  /** Returns how much is to be done in each store, without saying in which ways. */
  Plan load() {
    return plan(List.of());
  }

  private Plan plan(List<Strategy> strategies) {
    if (seed == null) {
      seed = (long) ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
    }
    int each = orders == null ? usualOrders() : orders;
    return new Plan(
        strategies,
        processes,
        threads,
        each,
        stock == null ? (long) processes * threads * each : stock,
        Duration.ofSeconds(warmUpSeconds),
        seed);
  }

  /** Fewer with all stores, whose slowest variants take minutes for more. */
  private int usualOrders() {
    return all ? 20 : 50;
  }

  static final class Processes extends WholeNumber {
    Processes() {
      super(1, 64);
    }
  }

  static final class Threads extends WholeNumber {
    Threads() {
      super(1, 1_000);
    }
  }

  static final class Orders extends WholeNumber {
    Orders() {
      super(1, 100_000);
    }
  }

  static final class Stock extends WholeNumber {
    Stock() {
      super(1, 1_000_000_000);
    }
  }

  static final class WarmUp extends WholeNumber {
    WarmUp() {
      super(0, 60);
    }
  }

  static final class StoreName implements ITypeConverter<String> {
    @Override
    public String convert(String store) {
      if (EmbeddedStore.named(store).isPresent()) {
        return store;
      }
      try {
        Shops.check(store);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            store.contains(":")
                ? String.valueOf(e.getMessage())
                : "must be one of "
                    + EmbeddedStore.names()
                    + ", or a URL such as redis://localhost:6379, was '"
                    + store
                    + "'");
      }
      return store;
    }
  }

  static final class StrategyName implements ITypeConverter<Strategy> {
    @Override
    public Strategy convert(String name) {
      return Strategies.find(name)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "must be one of " + names(Strategies.all()) + ", was '" + name + "'"));
    }
  }
}
