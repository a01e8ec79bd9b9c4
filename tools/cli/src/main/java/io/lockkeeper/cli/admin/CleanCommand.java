package io.lockkeeper.cli.admin;

import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.Table;
import io.lockkeeper.cli.console.Terminal;
import io.lockkeeper.cli.console.UserCommand;
import io.lockkeeper.cli.console.WaitTime;
import io.lockkeeper.cli.store.StoreOptions;
import io.lockkeeper.spi.StoreCleaner;
import io.lockkeeper.spi.StoreCleaner.Deleted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lockkeeper clean}: deletes what is left of names that nobody uses any more. */
@Command(
    name = "clean",
    description = {
      "Deletes from a SQL database what is left of names that nobody uses any more.",
      "",
      "Clients do so by themselves, little by little; this does it at once. What is held, waited"
          + " for or set stays, tokens go on growing, and clients can be at work meanwhile. Other"
          + " kinds of store forget by themselves."
    },
    footer = {
      "",
      "Exit status: 0 done, or there is nothing to clean; 2 wrong command line; 3 the store is out"
          + " of reach or refuses."
    })
public final class CleanCommand extends UserCommand {

  @Mixin private StoreOptions store = new StoreOptions();

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      converter = WaitTime.class,
      defaultValue = "1d",
      description = "Only what nobody has used for so long. Default: ${DEFAULT-VALUE}.")
  private Duration age = Duration.ofDays(1);

  @Option(names = "--dry-run", description = "Only count what would be deleted.")
  private boolean isTrial;

  @Override
  public Integer call() {
    Optional<StoreCleaner> cleaner = cleaner();
    if (cleaner.isEmpty()) {
      println("There is nothing to clean: this kind of store forgets by itself what nobody uses.");
    } else {
      LongConsumer progress = looked -> tell("\rlooked at " + looked + " rows ");
      print(cleaner.get().clean(store.context("clean"), age, isTrial, progress));
    }
    return ExitStatus.OK;
  }

  private Optional<StoreCleaner> cleaner() {
    String url = store.url();
    try {
      return store
          .provider()
          .orElseThrow(() -> new IllegalArgumentException("no such kind of store"))
          .cleaner(url);
    } catch (IllegalArgumentException e) {
      throw wrong(e);
    }
  }

  private void print(List<Deleted> deleted) {
    tell("\n");
    Table table = new Table("WHAT", isTrial ? "WOULD GO" : "DELETED");
    deleted.forEach(each -> table.row(each.what(), each.count()));
    table.lines().forEach(this::println);
  }

  /** On a terminal, writes one line again and again. */
  private void tell(String text) {
    if (Terminal.isWatched()) {
      err().print(text);
      err().flush();
    }
  }
}
