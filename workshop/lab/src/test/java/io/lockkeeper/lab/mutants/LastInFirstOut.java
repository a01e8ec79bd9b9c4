package io.lockkeeper.lab.mutants;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.WithdrawAnswer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Admits the claim that came last. */
final class LastInFirstOut extends WrappedStore {

  /** The claims of all clients that wait, for one resource. */
  static final class Stack {

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private long arrivals;

    private long push(LastInFirstOut client, ClaimRequest request) {
      lock.lock();
      try {
        waiting.addLast(new Waiting(client, request, ++arrivals));
        return arrivals;
      } finally {
        lock.unlock();
      }
    }

    private @Nullable Waiting take(long claim) {
      lock.lock();
      try {
        Waiting found =
            waiting.stream().filter(it -> it.request().claim() == claim).findFirst().orElse(null);
        waiting.remove(found);
        return found;
      } finally {
        lock.unlock();
      }
    }

    private void putBack(Waiting waits) {
      lock.lock();
      try {
        waiting.addFirst(waits);
      } finally {
        lock.unlock();
      }
    }

    private void serve() {
      lock.lock();
      try {
        Waiting last = waiting.peekLast();
        Grant grant = last == null ? null : last.client().tryClaim(last.request());
        if (last != null && grant != null) {
          waiting.removeLast();
          last.client().tell(last.request().resource(), grant);
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private record Waiting(LastInFirstOut client, ClaimRequest request, long arrival) {}

  private final Stack stack;
  private @Nullable NotificationListener listener;

  LastInFirstOut(Store store, Stack stack) {
    super(store);
    this.stack = stack;
  }

  private @Nullable Grant tryClaim(ClaimRequest request) {
    return now(store.claim(GrantMutants.withoutQueue(request)))
                instanceof Outcome.Answered<ClaimAnswer> answered
            && answered.answer() instanceof ClaimAnswer.Granted granted
        ? granted.grant()
        : null;
  }

  private void tell(ResourceId resource, Grant grant) {
    NotificationListener hears = listener;
    if (hears != null) {
      hears.granted(resource, grant);
    }
  }

  @Override
  public void listen(NotificationListener hears) {
    listener = hears;
    super.listen(hears);
  }

  @Override
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    Grant grant = tryClaim(request);
    if (grant != null) {
      return done(Outcome.answered(new ClaimAnswer.Granted(grant)));
    }
    long arrival = stack.push(this, request);
    return done(Outcome.answered(new Queued(1, 1_000_000, arrival)));
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    Outcome<ReleaseAnswer> answer = now(store.release(request));
    stack.serve();
    return done(answer);
  }

  @Override
  public CompletionStage<Outcome<WithdrawAnswer>> withdraw(ResourceId resource, long claim) {
    stack.take(claim);
    return super.withdraw(resource, claim);
  }

  @Override
  public CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch) {
    stack.serve();
    List<Outcome<PollAnswer>> answers = new ArrayList<>();
    for (PollRequest request : batch) {
      Waiting waits = stack.take(request.claim());
      if (waits == null) {
        answers.add(now(store.poll(List.of(request))).get(0));
      } else {
        stack.putBack(waits);
        answers.add(Outcome.answered(new Queued(1, 1_000_000, waits.arrival())));
      }
    }
    return done(answers);
  }
}
