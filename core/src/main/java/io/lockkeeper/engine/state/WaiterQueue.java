package io.lockkeeper.engine.state;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the requests for one resource that are served through its shared claim, in order of
 * arrival. Linked, so that giving up a place costs the same with a hundred thousand waiters as with
 * two. Guarded by the coordinator's mutex.
 */
final class WaiterQueue {

  private @Nullable Waiter first;
  private @Nullable Waiter last;
  private int size;

  @Nullable Waiter first() {
    return first;
  }

  boolean isEmpty() {
    return first == null;
  }

  int size() {
    return size;
  }

  void add(Waiter waiter) {
    waiter.previous = last;
    if (last == null) {
      first = waiter;
    } else {
      last.next = waiter;
    }
    last = waiter;
    size++;
  }

  void remove(Waiter waiter) {
    if (waiter.previous == null && first != waiter) {
      return; // not here
    }
    if (waiter.previous == null) {
      first = waiter.next;
    } else {
      waiter.previous.next = waiter.next;
    }
    if (waiter.next == null) {
      last = waiter.previous;
    } else {
      waiter.next.previous = waiter.previous;
    }
    waiter.previous = null;
    waiter.next = null;
    size--;
  }
}
