package io.lockkeeper.cli.admin;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.UserCommand;
import io.lockkeeper.cli.console.WaitTime;
import io.lockkeeper.cli.doctor.Examination;
import io.lockkeeper.cli.store.StoreOptions;
import io.lockkeeper.cli.store.StoresOptions;
import io.lockkeeper.console.Console;
import io.lockkeeper.console.ConsoleOptions;
import io.lockkeeper.console.ConsoleStore;
import io.lockkeeper.console.ConsoleStore.Namespaces;
import io.lockkeeper.console.Secrets;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code lockkeeper console}: a page that shows who holds and who waits. */
@Command(
    name = "console",
    description = {
      "Shows who holds and who waits on a page in a browser, live, over all programs that use the"
          + " store, or one of several stores. It begins with one namespace; the page lists the"
          + " others.",
      "It prints the address of the page, which holds a random token: who has it sees the page."
          + " Ctrl-C ends it."
    },
    footer = {"", "Exit status: 2 wrong command line; 3 it cannot listen on the port."})
public final class ConsoleCommand extends UserCommand {

  private static final Duration STORE_TIMEOUT = Duration.ofSeconds(5);

  @Mixin private StoresOptions stores = new StoresOptions();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Where to listen, on 127.0.0.1 alone. Default: a free port.")
  private int port;

  @Option(
      names = "--refresh",
      paramLabel = "TIME",
      converter = WaitTime.class,
      defaultValue = "1s",
      description = {
        "The time between two looks at the store, at least. If looks take long, there are fewer: at"
            + " most a twentieth of the time. Nobody looks while no browser is open.",
        "Default: ${DEFAULT-VALUE}."
      })
  private Duration refresh = Duration.ofSeconds(1);

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

  @Override
  public Integer call() throws InterruptedException {
    ConsoleOptions options = options();
    Deque<Lockkeeper> clients = new ConcurrentLinkedDeque<>();
    try (Console console = open(clients, options)) {
      println(console.url());
      new CountDownLatch(1).await();
      return ExitStatus.OK;
    } catch (UncheckedIOException e) {
      throw new CannotRunException(String.valueOf(e.getMessage()), e);
    } finally {
      clients.forEach(Lockkeeper::close);
    }
  }

  private Console open(Deque<Lockkeeper> clients, ConsoleOptions options) {
    List<ConsoleStore> shown =
        stores.each().stream()
            .map(
                store ->
                    shown(store, clients)
                        .withNamespaces(
                            new Namespaces(
                                store.namespace(),
                                namespace -> another(store.in(namespace), clients))))
            .toList();
    String title =
        shown.size() == 1 ? Secrets.hide(stores.each().get(0).url()) : shown.size() + " stores";
    return Console.open(title, shown, options);
  }

  private static ConsoleStore another(StoreOptions store, Deque<Lockkeeper> clients) {
    try {
      return shown(store, clients);
    } catch (ParameterException e) { // which speaks of a command line
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static ConsoleStore shown(StoreOptions store, Deque<Lockkeeper> clients) {
    Lockkeeper keeper =
        store.connect(
            Lockkeeper.builder()
                .clientName("lockkeeper console")
                .storeTimeout(STORE_TIMEOUT)
                .connectLater());
    clients.push(keeper);
    return new ConsoleStore(Secrets.hide(store.url()) + ", namespace " + store.namespace(), keeper)
        .withDoctor(new Examination(store)::run);
  }

  private ConsoleOptions options() {
    try {
      ConsoleOptions options =
          ConsoleOptions.defaults().withPort(port).withRefresh(refresh).withMostListed(most);
      return allowRelease ? options.withRelease(this::printlnAside) : options;
    } catch (IllegalArgumentException e) {
      throw wrong(e);
    }
  }
}
