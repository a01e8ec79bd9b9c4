package io.lockkeeper.cli.admin;

import io.lockkeeper.HolderReport;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.UserCommand;
import io.lockkeeper.cli.store.StoreOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lockkeeper release}: takes a lock away from its holder. */
@Command(
    name = "release",
    description = {
      "Takes what it has from a holder, after showing who that is and asking.",
      "",
      "The holder is notified and may still be at work; only tokens keep its late writes out."
          + " The next waiter gets the lock at once. A holder that has crashed needs no help: its"
          + " lease ends by itself."
    },
    footer = {
      "",
      "Exit status: 0 released; 1 nobody held it, or not any more; 2 wrong command line, or not"
          + " confirmed; 3 the store is out of reach."
    })
public final class ReleaseCommand extends UserCommand {

  private static final Set<String> YES = Set.of("y", "yes");

  @Mixin private Lookup lookup = new Lookup();

  @Mixin private StoreOptions store = new StoreOptions();

  @Option(
      names = "--holder",
      paramLabel = "WHO",
      description = "Only this one of several: its client id, its client's name, or its token.")
  private @Nullable String who;

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  @Override
  public Integer call() {
    try (Lockkeeper keeper = store.connect(Lockkeeper.builder())) {
      List<ResourceReport> found = lookup.find(keeper);
      List<HolderReport> holders = chosen(found);
      if (holders.isEmpty()) {
        println(nobody(keeper, found));
        return ExitStatus.FAILED;
      }
      ReportText.resources(found).forEach(this::println);
      announce(found, holders);
      if (!yes && !isConfirmed()) {
        println("Nothing was changed.");
        return ExitStatus.USAGE;
      }
      return release(keeper, holders);
    } catch (IllegalArgumentException e) {
      throw wrong(e);
    }
  }

  private List<HolderReport> chosen(List<ResourceReport> found) {
    return found.stream()
        .flatMap(report -> report.holders().stream())
        .filter(holder -> who == null || isNamed(holder, who))
        .toList();
  }

  private static boolean isNamed(HolderReport holder, String who) {
    return who.equals(holder.client().id())
        || who.equals(holder.client().name())
        || who.equals(Long.toString(holder.token()));
  }

  private String nobody(Lockkeeper keeper, List<ResourceReport> found) {
    return found.stream().anyMatch(report -> !report.holders().isEmpty())
        ? "'" + lookup.name + "' is held, but not by '" + who + "'."
        : Namespaces.nothing("Nobody holds '" + lookup.name + "'", keeper, store);
  }

  private void announce(List<ResourceReport> found, List<HolderReport> holders) {
    long waiters = found.stream().mapToLong(report -> report.waiters().size()).sum();
    println("");
    for (HolderReport holder : holders) {
      String what =
          holder.resting()
              ? "This opens the %s '%s', which rests after token %d of %s."
              : "This takes the %s '%s' with token %d from %s.";
      String kind = holder.kind().id();
      println(what.formatted(kind, holder.name(), holder.token(), describe(holder)));
    }
    println(waiters == 0 ? "Nobody waits for it." : waiters + " wait, and the next is admitted.");
  }

  private static String describe(HolderReport holder) {
    String host = holder.client().host();
    return holder.client()
        + (host == null ? "" : " (%s, process %d)".formatted(host, holder.client().pid()));
  }

  private boolean isConfirmed() {
    out().print("Do it? [y/N] ");
    out().flush();
    try {
      // Not closed: it is the process's standard input.
      String answer =
          new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
      if (answer == null) {
        println("");
        println("There is nobody to answer; --yes does it without asking.");
        return false;
      }
      return YES.contains(answer.strip().toLowerCase(Locale.ROOT));
    } catch (IOException e) {
      throw new CannotRunException("cannot read the answer: " + e.getMessage(), e);
    }
  }

  private int release(Lockkeeper keeper, List<HolderReport> holders) {
    boolean all = true;
    for (HolderReport holder : holders) {
      boolean released = keeper.admin().forceRelease(holder);
      all &= released;
      println(
          released
              ? (holder.resting() ? "Opened." : "Taken from " + describe(holder) + ".")
              : describe(holder) + " did not hold it any more.");
    }
    return all ? ExitStatus.OK : ExitStatus.FAILED;
  }
}
