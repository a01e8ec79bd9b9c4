package io.lockkeeper.jdbc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The calls that nobody has begun yet, in the order in which they were asked. What is about the
 * same as a call under way stays until that is done.
 */
final class CallQueue {

  /** How many calls share a transaction at most. */
  private static final int MAX_GROUP = 32;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  // All below is guarded by lock.
  private final Deque<PendingStep<?>> waiting = new ArrayDeque<>();
  private final Set<String> underWay = new HashSet<>();
  private boolean closed;

  /** Adds a call; returns false if the queue is closed. */
  boolean add(PendingStep<?> call) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      waiting.add(call);
      if (!underWay.contains(call.about)) {
        // All of them: one may be waiting for a connection, and must not be the only one to know.
        work.signalAll();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there may be something to take; returns false once the queue is closed. */
  boolean awaitCalls() {
    lock.lock();
    try {
      while (!closed && !hasTakable()) {
        work.awaitUninterruptibly();
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private boolean hasTakable() {
    return underWay.isEmpty()
        ? !waiting.isEmpty()
        : waiting.stream().anyMatch(call -> !underWay.contains(call.about));
  }

  /** Takes the calls that may be begun now, or none; {@link #done} must follow. */
  List<PendingStep<?>> take() {
    lock.lock();
    try {
      List<PendingStep<?>> taken = new ArrayList<>();
      Iterator<PendingStep<?>> calls = waiting.iterator();
      while (calls.hasNext() && taken.size() < MAX_GROUP) {
        PendingStep<?> call = calls.next();
        boolean mayShare = taken.isEmpty() || !(call.isSolitary() || taken.get(0).isSolitary());
        if (mayShare && !underWay.contains(call.about)) {
          taken.add(call);
          calls.remove();
        }
      }
      taken.forEach(call -> underWay.add(call.about));
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Puts calls that were taken back, before all others; {@link #done} must follow. Returns false if
   * the queue is closed.
   */
  boolean putBack(List<PendingStep<?>> calls) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      for (int i = calls.size() - 1; i >= 0; i--) {
        waiting.addFirst(calls.get(i));
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Lets the next calls about the same be begun. */
  void done(List<PendingStep<?>> calls) {
    lock.lock();
    try {
      calls.forEach(call -> underWay.remove(call.about));
      if (!waiting.isEmpty()) {
        work.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends it and returns what is left. */
  List<PendingStep<?>> close() {
    lock.lock();
    try {
      closed = true;
      work.signalAll();
      List<PendingStep<?>> left = new ArrayList<>(waiting);
      waiting.clear();
      return left;
    } finally {
      lock.unlock();
    }
  }
}
