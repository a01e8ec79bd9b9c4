package io.lockkeeper.cli.exec;

import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.cli.console.WaitTime;
import io.lockkeeper.cli.store.StoreOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The command while it runs under its lease. */
final class Guarded {

  private static final String NAME_VARIABLE = "LOCKKEEPER_NAME";
  private static final String TOKEN_VARIABLE = "LOCKKEEPER_TOKEN";

  private final Lease lease;
  private final OnLost onLost;
  private final Duration grace;
  private final Consumer<String> alarm;
  private final AtomicReference<@Nullable LeaseLost> loss = new AtomicReference<>();

  /** Completes when all has been done that a loss asks for. */
  private final CompletableFuture<@Nullable Void> settled = new CompletableFuture<>();

  /**
   * Makes one.
   *
   * @param onLost what becomes of the command if the lease is lost
   * @param grace how long it then has to end
   * @param alarm is notified of the loss
   */
  Guarded(Lease lease, OnLost onLost, Duration grace, Consumer<String> alarm) {
    this.lease = lease;
    this.onLost = onLost;
    this.grace = grace;
    this.alarm = alarm;
  }

  /** Runs the command and releases the lease after its end. Returns the exit status. */
  int run(List<String> command, SignalRouter desk) throws InterruptedException {
    Child child = start(command);
    desk.attach(child);
    lease.onLost(lost -> lost(lost, child));
    int status = child.await();
    release();
    if (loss.get() != null) {
      settled.join(); // what the command has started may be ending still
    }
    return loss.get() == null || onLost == OnLost.IGNORE ? status : ExecStatus.LOST;
  }

  private Child start(List<String> command) {
    Map<String, String> variables = new HashMap<>(StoreOptions.variablesForOthers(System.getenv()));
    variables.put(NAME_VARIABLE, lease.name());
    variables.put(TOKEN_VARIABLE, Long.toString(lease.token()));
    try {
      return Child.start(command, variables);
    } catch (Program.NotRunnableException e) {
      release();
      throw e;
    }
  }

  private void lost(LeaseLost lost, Child child) {
    if (!loss.compareAndSet(null, lost)) {
      return;
    }
    alarm.accept(lost + "; " + consequence());
    try {
      switch (onLost) {
        case TERM -> child.end(grace);
        case KILL -> child.kill();
        case IGNORE -> {}
      }
    } finally {
      settled.complete(null);
    }
  }

  private String consequence() {
    return switch (onLost) {
      case TERM -> "the command gets SIGTERM, and is killed after " + WaitTime.text(grace);
      case KILL -> "the command is killed";
      case IGNORE -> "the command goes on without it";
    };
  }

  private void release() {
    try {
      lease.release();
    } catch (LeaseLostException e) {
      if (loss.compareAndSet(null, e.loss())) {
        alarm.accept(e.loss() + ", which was noticed when the command had ended");
        settled.complete(null);
      }
    }
  }
}
