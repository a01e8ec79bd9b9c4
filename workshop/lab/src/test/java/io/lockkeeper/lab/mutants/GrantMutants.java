package io.lockkeeper.lab.mutants;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Stores that grant what they must not, or do not grant what they must. */
final class GrantMutants {

  private GrantMutants() {}

  /** Now and then grants a claim that it has put into the queue. */
  static final class GrantsTwice extends WrappedStore {

    private static final int EVERY = 20;

    private final AtomicLong queued = new AtomicLong();

    GrantsTwice(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
      Outcome<ClaimAnswer> outcome = now(store.claim(request));
      boolean isQueued =
          outcome instanceof Outcome.Answered<ClaimAnswer> answered
              && answered.answer() instanceof Queued;
      if (!isQueued || queued.incrementAndGet() % EVERY != 0) {
        return done(outcome);
      }
      now(store.withdraw(request.resource(), request.claim()));
      long token = System.currentTimeMillis() * 2_000;
      return done(
          Outcome.answered(
              new ClaimAnswer.Granted(
                  new Grant(
                      request.claim(),
                      List.of(request.claim()),
                      token,
                      token + request.tokens() - 1,
                      1,
                      request.leaseMillis() * 1_000,
                      false,
                      true))));
    }
  }

  /** Changes claims before they are made. */
  static final class ChangesClaims extends WrappedStore {

    private final UnaryOperator<ClaimRequest> change;

    ChangesClaims(Store store, UnaryOperator<ClaimRequest> change) {
      super(store);
      this.change = change;
    }

    @Override
    public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
      return store.claim(change.apply(request));
    }
  }

  static ClaimRequest withShare(ClaimRequest request, Share share) {
    return new ClaimRequest(
        request.resource(),
        request.claim(),
        request.leaseMillis(),
        request.tokens(),
        request.queue(),
        share,
        request.label());
  }

  static ClaimRequest withLease(ClaimRequest request, long leaseMillis) {
    return new ClaimRequest(
        request.resource(),
        request.claim(),
        leaseMillis,
        request.tokens(),
        request.queue(),
        request.share(),
        request.label());
  }

  static ClaimRequest withoutQueue(ClaimRequest request) {
    return new ClaimRequest(
        request.resource(),
        request.claim(),
        request.leaseMillis(),
        request.tokens(),
        false,
        request.share(),
        request.label());
  }

  /** Keeps leases at the store for an eighth of what was asked for. */
  static final class ShortLeases extends WrappedStore {

    private static final int TIMES = 8;

    ShortLeases(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
      return store.claim(withLease(request, request.leaseMillis() / TIMES));
    }

    @Override
    public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
      return store.renew(
          batch.stream()
              .map(
                  it ->
                      new RenewRequest(
                          it.resource(),
                          it.owner(),
                          it.grant(),
                          it.leaseMillis() / TIMES,
                          it.permits()))
              .toList());
    }
  }

  /** Says that it renews, and does not. */
  static final class FalseRenewals extends WrappedStore {

    private final Predicate<RenewRequest> isFalse;

    FalseRenewals(Store store, Predicate<RenewRequest> isFalse) {
      super(store);
      this.isFalse = isFalse;
    }

    @Override
    public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
      if (!batch.stream().allMatch(isFalse)) {
        return store.renew(batch);
      }
      return done(
          batch.stream().map(it -> Outcome.answered(new RenewAnswer(true, false))).toList());
    }
  }

  /** Now and then loses all news of a grant, for ever. */
  static final class LosesWakeUps extends WrappedStore {

    private static final int EVERY = 30;

    private final AtomicLong claims = new AtomicLong();
    private final Set<Long> cursed = ConcurrentHashMap.newKeySet();

    LosesWakeUps(Store store) {
      super(store);
    }

    @Override
    public void listen(NotificationListener listener) {
      store.listen(
          new WrappedListener(listener) {
            @Override
            public void granted(ResourceId resource, Grant grant) {
              if (grant.claims().stream().noneMatch(cursed::contains)) {
                super.granted(resource, grant);
              }
            }
          });
    }

    @Override
    public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
      if (claims.incrementAndGet() % EVERY == 0) {
        cursed.add(request.claim());
        return done(Outcome.answered(new Queued(1, 1_000_000, claims.get())));
      }
      return store.claim(request);
    }

    @Override
    public CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch) {
      List<Outcome<PollAnswer>> answers = new ArrayList<>();
      for (PollRequest request : batch) {
        answers.add(
            cursed.contains(request.claim())
                ? Outcome.answered(new Queued(1, 1_000_000, 1))
                : now(store.poll(List.of(request))).get(0));
      }
      return done(answers);
    }
  }

  /** Now and then says that something was released, and keeps it for an hour instead. */
  static final class LosesReleases extends WrappedStore {

    private static final int EVERY = 30;
    private static final long HOUR_MILLIS = 3_600_000;

    private final AtomicLong releases = new AtomicLong();

    LosesReleases(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
      if (releases.incrementAndGet() % EVERY != 0) {
        return store.release(request);
      }
      now(
          store.renew(
              List.of(
                  new RenewRequest(
                      request.resource(), request.owner(), request.grant(), HOUR_MILLIS, 0))));
      return done(Outcome.answered(new ReleaseAnswer(true, null, null)));
    }
  }

  /** Now and then has a release open the resource for everybody, and tells no holder. */
  static final class ReleasesOthers extends WrappedStore {

    private static final int EVERY = 10;

    private final AtomicLong releases = new AtomicLong();

    ReleasesOthers(Store store) {
      super(store);
    }

    @Override
    public void listen(NotificationListener listener) {
      store.listen(
          new WrappedListener(listener) {
            @Override
            public void revoked(ResourceId resource) {
              // not told
            }
          });
    }

    @Override
    public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
      CompletionStage<Outcome<ReleaseAnswer>> answer = store.release(request);
      if (releases.incrementAndGet() % EVERY == 0) {
        now(store.forceRelease(new ForceRequest(request.resource(), Long.MAX_VALUE)));
      }
      return answer;
    }
  }

  /** Never queues this client's claims: it gets what is free when it happens to look. */
  static final class Starves extends WrappedStore {

    private final Map<Long, ClaimRequest> waiting = new ConcurrentHashMap<>();

    Starves(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
      waiting.put(request.claim(), request);
      return done(Outcome.answered(new Queued(1, 1_000_000, 1)));
    }

    @Override
    public CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch) {
      List<Outcome<PollAnswer>> answers = new ArrayList<>();
      for (PollRequest request : batch) {
        ClaimRequest claim = waiting.get(request.claim());
        if (claim != null
            && now(store.claim(withoutQueue(claim)))
                instanceof Outcome.Answered<ClaimAnswer> answered
            && answered.answer() instanceof ClaimAnswer.Granted granted) {
          waiting.remove(request.claim());
          answers.add(Outcome.answered(new PollAnswer.Granted(granted.grant())));
        } else {
          answers.add(Outcome.answered(new Queued(1, 1_000_000, 1)));
        }
      }
      return done(answers);
    }
  }
}
