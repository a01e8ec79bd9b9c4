package io.lockkeeper.lab.mutants;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Now and then gives tokens again that it gave before. */
final class TokenMutant extends WrappedStore {

  private static final int EVERY = 7;
  private static final long BACK = 5_000_000;

  private final AtomicLong grants = new AtomicLong();

  /** How far the tokens of a grant were moved. */
  private final Map<Long, Long> moved = new ConcurrentHashMap<>();

  TokenMutant(Store store) {
    super(store);
  }

  private Grant change(Grant grant) {
    long back =
        moved.computeIfAbsent(
            grant.grant(), number -> grants.incrementAndGet() % EVERY == 0 ? BACK : 0L);
    return new Grant(
        grant.grant(),
        grant.claims(),
        grant.firstToken() - back,
        grant.lastToken() - back,
        grant.storeMicros(),
        grant.leaseMicros(),
        grant.othersWait(),
        grant.confirmed());
  }

  private @Nullable Grant changeIfAny(@Nullable Grant grant) {
    return grant == null ? null : change(grant);
  }

  @Override
  public void listen(NotificationListener listener) {
    store.listen(
        new WrappedListener(listener) {
          @Override
          public void granted(ResourceId resource, Grant grant) {
            super.granted(resource, change(grant));
          }
        });
  }

  @Override
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    Outcome<ClaimAnswer> outcome = now(store.claim(request));
    return done(
        outcome instanceof Outcome.Answered<ClaimAnswer> answered
                && answered.answer() instanceof ClaimAnswer.Granted granted
            ? Outcome.answered(new ClaimAnswer.Granted(change(granted.grant())))
            : outcome);
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    long back = moved.getOrDefault(request.grant(), 0L);
    ReleaseRequest real =
        new ReleaseRequest(
            request.resource(),
            request.owner(),
            request.grant(),
            request.usedToken() + back,
            request.requeue());
    Outcome<ReleaseAnswer> outcome = now(store.release(real));
    return done(
        outcome instanceof Outcome.Answered<ReleaseAnswer> answered
            ? Outcome.answered(
                new ReleaseAnswer(
                    answered.answer().released(),
                    changeIfAny(answered.answer().next()),
                    answered.answer().requeued()))
            : outcome);
  }

  @Override
  public CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch) {
    return done(now(store.poll(batch)).stream().map(this::changePoll).toList());
  }

  private Outcome<PollAnswer> changePoll(Outcome<PollAnswer> outcome) {
    return outcome instanceof Outcome.Answered<PollAnswer> answered
            && answered.answer() instanceof PollAnswer.Granted granted
        ? Outcome.answered(new PollAnswer.Granted(change(granted.grant())))
        : outcome;
  }
}
