package io.lockkeeper.cli.page;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.Version;
import io.lockkeeper.cli.doctor.Examination;
import io.lockkeeper.cli.store.StoreOptions;
import io.lockkeeper.cli.store.StoresOptions;
import io.lockkeeper.console.Console;
import io.lockkeeper.console.ConsoleOptions;
import io.lockkeeper.console.ConsoleStore;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lockkeeper console}: a page that shows who holds and who waits. */
@Command(
    name = "console",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Shows who holds and who waits on a page in a browser, live, over all programs that use the"
          + " store, or one of several stores.",
      "It prints the address of the page, which holds a random token: who has it sees the page."
          + " Ctrl-C ends it."
    },
    footer = {"", "Exit status: 2 wrong command line; 3 it cannot listen on the port."})
public final class ConsoleCommand implements Callable<Integer> {

  private static final double MILLIS_PER_SECOND = 1_000;
  private static final Duration STORE_TIMEOUT = Duration.ofSeconds(5);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private StoresOptions stores = new StoresOptions();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Where to listen, on 127.0.0.1 alone. Default: a free port.")
  private int port;

  @Option(
      names = "--refresh",
      paramLabel = "S",
      defaultValue = "1",
      description = {
        "Seconds between two looks at the store, at least. If looks take long, there are fewer: at"
            + " most a twentieth of the time. Nobody looks while no browser is open.",
        "Default: ${DEFAULT-VALUE}."
      })
  private double refresh;

  @Option(
      names = "--most",
      paramLabel = "N",
      defaultValue = "500",
      description =
          "How many resources are listed; sums are over all that were seen. Default:"
              + " ${DEFAULT-VALUE}.")
  private int most;

  @Option(
      names = "--allow-release",
      description =
          "Let the page force releases, as the command release does. Each writes a line to the"
              + " standard error: when, who, what.")
  private boolean allowRelease;

  /** Creates the command. */
  public ConsoleCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    ConsoleOptions options = options(err);
    try (Clients clients = new Clients();
        Console console = open(clients, options)) {
      out.println(console.url());
      out.flush();
      new CountDownLatch(1).await();
      return ExitStatus.OK;
    } catch (UncheckedIOException e) {
      throw new CannotRunException(String.valueOf(e.getMessage()), e);
    }
  }

  private Console open(Clients clients, ConsoleOptions options) {
    List<StoreOptions> each = stores.each();
    String namespace = ", namespace " + stores.namespace();
    boolean isOne = each.size() == 1;
    List<ConsoleStore> shown =
        each.stream().map(store -> clients.connect(store, isOne ? namespace : "")).toList();
    return Console.open(
        isOne ? shown.get(0).name() : shown.size() + " stores" + namespace, shown, options);
  }

  /** The console's clients, one for each store. */
  private static final class Clients implements AutoCloseable {

    private final Deque<Lockkeeper> open = new ArrayDeque<>();

    ConsoleStore connect(StoreOptions store, String suffix) {
      Lockkeeper keeper =
          store.connect(
              Lockkeeper.builder()
                  .clientName("lockkeeper console")
                  .storeTimeout(STORE_TIMEOUT)
                  .connectLater());
      open.push(keeper);
      return new ConsoleStore(StoreOptions.printable(store.url()) + suffix, keeper)
          .withDoctor(new Examination(store)::run);
    }

    @Override
    public void close() {
      open.forEach(Lockkeeper::close);
    }
  }

  private ConsoleOptions options(PrintWriter err) {
    try {
      ConsoleOptions options =
          ConsoleOptions.defaults()
              .withPort(port)
              .withRefresh(Duration.ofMillis(Math.round(refresh * MILLIS_PER_SECOND)))
              .withMostListed(most);
      return allowRelease ? options.withRelease(line -> audit(err, line)) : options;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private static void audit(PrintWriter err, String line) {
    err.println(line);
    err.flush();
  }
}
