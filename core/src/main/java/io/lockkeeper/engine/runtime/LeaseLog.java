package io.lockkeeper.engine.runtime;

import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.stream.Stream;

/** Logs at DEBUG what becomes of requests and leases, if that is on when the client connects. */
final class LeaseLog implements LockListener {

  private LeaseLog() {}

  /** Returns the listeners, and this one if it has something to do. */
  static List<LockListener> with(List<LockListener> listeners) {
    if (!ClientLog.LEASE.isLoggable(Level.DEBUG)) {
      return listeners;
    }
    return Stream.concat(listeners.stream(), Stream.of(new LeaseLog())).toList();
  }

  @Override
  public boolean wants(Class<? extends LockEvent> kind) {
    return kind != LockEvent.Lost.class && kind != LockEvent.Deadlock.class; // logged elsewhere
  }

  @Override
  public void onEvent(LockEvent event) {
    ClientLog.LEASE.log(Level.DEBUG, () -> event.kind() + " '" + event.name() + "' " + text(event));
  }

  private static String text(LockEvent event) {
    if (event instanceof LockEvent.Acquired got) {
      return "acquired with token " + got.token() + " after " + got.waited().toMillis() + " ms";
    } else if (event instanceof LockEvent.Waited) {
      return "a request waits";
    } else if (event instanceof LockEvent.Abandoned over) {
      return "not acquired: the request ended after " + over.waited().toMillis() + " ms";
    } else if (event instanceof LockEvent.Released over) {
      return "released with token " + over.token() + " after " + over.held().toMillis() + " ms";
    } else if (event instanceof LockEvent.HandedOver next) {
      return "handed off inside the client, with token " + next.token();
    } else if (event instanceof LockEvent.Renewed more) {
      return "renewed with token " + more.token() + " for " + more.remaining().toMillis() + " ms";
    } else if (event instanceof LockEvent.RenewalFailed less) {
      return "not renewed with token "
          + less.token()
          + ": no answer; it ends in "
          + less.remaining().toMillis()
          + " ms";
    }
    return event.toString();
  }
}
