package io.lockkeeper.micrometer;

import io.lockkeeper.LockObserver;
import io.micrometer.observation.Observation;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** The context of an attempt or a hold while it is observed. */
public final class LockObservationContext extends Observation.Context {

  private static final String UNDECIDED = "none";

  private final LockObservationDocumentation observation;
  private final LockObserver.Request request;
  private volatile OptionalLong token = OptionalLong.empty();
  private volatile Optional<LockObserver.Via> via = Optional.empty();
  private volatile String outcome = UNDECIDED;

  LockObservationContext(LockObservationDocumentation observation, LockObserver.Request request) {
    this.observation = Objects.requireNonNull(observation, "observation");
    this.request = Objects.requireNonNull(request, "request");
  }

  /** Returns which of the two observations it is. */
  public LockObservationDocumentation observation() {
    return observation;
  }

  /** Returns what was asked for. */
  public LockObserver.Request request() {
    return request;
  }

  /** Returns the fencing token, or empty if it was not acquired. */
  public OptionalLong token() {
    return token;
  }

  /** Returns the way by which it came, or empty if it was not acquired. */
  public Optional<LockObserver.Via> via() {
    return via;
  }

  /** Returns the value of the key {@code outcome}, {@code none} until it is over. */
  public String outcome() {
    return outcome;
  }

  void acquired(long newToken, LockObserver.Via newVia) {
    token = OptionalLong.of(newToken);
    via = Optional.of(newVia);
  }

  void over(String newOutcome) {
    outcome = newOutcome;
  }
}
