package io.lockkeeper.cli.exec;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.cli.console.Terminal;
import io.lockkeeper.cli.console.UserCommand;
import io.lockkeeper.cli.console.WaitTime;
import io.lockkeeper.cli.store.StoreOptions;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lockkeeper exec}: runs a command while holding a lock. */
@Command(
    name = "exec",
    exitCodeOnInvalidInput = ExecStatus.USAGE,
    exitCodeOnExecutionException = ExecStatus.STORE,
    customSynopsis = "lockkeeper exec [OPTIONS] NAME -- COMMAND [ARGUMENT...]",
    description = {
      "Runs a command while holding a lock, and ends with the command's exit status.",
      "",
      "The command finds the lock's name in LOCKKEEPER_NAME and its fencing token, which is larger"
          + " than that of every earlier holder, in LOCKKEEPER_TOKEN. The lock is renewed until"
          + " the command ends. Signals are passed on to the command."
    },
    footer = {
      "",
      "Exit status: the command's own, or 128 and the number of the signal that ended it; 64 wrong"
          + " command line; 69 the store is out of reach or refuses; 75 the lock was not free in"
          + " time (--conflict-exit-code); 76 the lock was lost and the command ended; 126"
          + " the command cannot be run; 127 there is no such command."
    })
public final class ExecCommand extends UserCommand {

  /** Kept, because a logger that is collected forgets its level. */
  private static final Logger LEASES = Logger.getLogger("io.lockkeeper.lease");

  private static final int LONGEST_CLIENT_NAME = 60;
  private static final Duration USUAL_LEASE = Duration.ofSeconds(30);

  @Mixin private ExecOptions options = new ExecOptions();

  @Mixin private StoreOptions store = new StoreOptions();

  @Override
  public Integer call() throws InterruptedException {
    Wanted wanted = options.wanted();
    if (store.url().toLowerCase(Locale.ROOT).startsWith("memory:")) {
      throw wrong(
          new IllegalArgumentException(
              "a store in memory is of one process, so it would exclude no other command"));
    }
    SignalRouter desk = SignalRouter.open();
    int status;
    try {
      Program.check(options.command.get(0), System.getenv("PATH"));
      status = guarded(wanted, desk);
    } catch (Program.NotRunnableException e) {
      say(e.getMessage());
      return e.status;
    }
    if (status == PosixSignal.INT.status() && desk.hasReceived(PosixSignal.INT)) {
      // A shell breaks off its script only if it sees that Ctrl-C has really ended the command.
      PosixSignal.INT.raise();
    }
    return status;
  }

  private int guarded(Wanted wanted, SignalRouter desk) throws InterruptedException {
    LEASES.setLevel(Level.OFF); // this command reports a loss itself
    try (Lockkeeper keeper = store.connect(builder())) {
      desk.beginWait();
      long start = System.nanoTime();
      @Nullable Lease lease = acquire(keeper, wanted);
      Optional<PosixSignal> signal = desk.endWait();
      if (signal.isPresent()) {
        return signal.get().status(); // closing gives back what was acquired meanwhile
      } else if (lease == null) {
        tell("'" + wanted.name() + "' was not free in time");
        return options.conflictStatus;
      }
      long waited = System.nanoTime() - start;
      tell(
          "'%s' of the namespace '%s' acquired after %s, token %d"
              .formatted(
                  wanted.name(),
                  store.namespace(),
                  WaitTime.text(Duration.ofNanos(waited)),
                  lease.token()));
      Guarded command = new Guarded(lease, options.onLost, options.grace, this::say);
      int status = command.run(options.command, desk);
      tell("the command ended with status " + status);
      return status;
    }
  }

  /** Returns null if it was not free in time, or the wait was ended by a signal. */
  private @Nullable Lease acquire(Lockkeeper keeper, Wanted wanted) {
    boolean isWatched = Terminal.isWatched();
    @Nullable WaitLine line =
        isWatched || options.verbose ? new WaitLine(keeper, wanted, err(), isWatched) : null;
    try {
      Lease lease = wanted.acquire(keeper);
      while (!isConfirmed(lease)) {
        lease = wanted.acquire(keeper);
      }
      return lease;
    } catch (AcquireTimeoutException | InterruptedException e) {
      return null;
    } catch (IllegalArgumentException e) {
      throw wrong(e);
    } finally {
      if (line != null) {
        line.close();
      }
    }
  }

  /**
   * Renews the lease for its full length before the command begins: one that was admitted out of
   * the queue has only a second at first, which a machine at its limits may need to start a
   * process.
   */
  private boolean isConfirmed(Lease lease) {
    try {
      lease.renew(options.lease == null ? USUAL_LEASE : options.lease);
      return true;
    } catch (LeaseLostException e) {
      return false;
    }
  }

  private LockkeeperBuilder builder() {
    LockkeeperBuilder builder = Lockkeeper.builder().clientName(clientName());
    return options.lease == null ? builder : builder.lease(options.lease);
  }

  /** Returns what others see as the client's name: the program's, without its arguments. */
  private String clientName() {
    String program = options.command.get(0);
    String name =
        program.substring(program.lastIndexOf('/') + 1).replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
    return name.isEmpty()
        ? "exec"
        : name.substring(0, Math.min(name.length(), LONGEST_CLIENT_NAME));
  }

  /** Says what only matters to those who asked for it. */
  private void tell(String line) {
    if (options.verbose) {
      say(line);
    }
  }

  private void say(@Nullable String line) {
    printlnAside("lockkeeper: " + line);
  }
}
