package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lease;
import io.lockkeeper.LockEvent;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.engine.state.Transition;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/**
 * One client of a {@link ScriptedStore}, on a clock, a scheduler and an executor that the test
 * moves. Closing it checks that the client leaves nothing behind.
 */
public final class Rig implements AutoCloseable {

  public static final Duration LEASE = Duration.ofSeconds(30);

  public final ManualTime time = new ManualTime();
  public final ManualScheduler scheduler = new ManualScheduler(time);
  public final ScriptedStore store;

  /** Throws what the test puts here when the engine gets to one of its transitions. */
  public final Map<Transition, Error> faults = new ConcurrentHashMap<>();

  /** A thread that gets an error from the clock, once. */
  public final AtomicReference<Thread> failing = new AtomicReference<>();

  /** How often the clock has had doubts. */
  public volatile long doubts;

  public final ConcurrentLinkedQueue<LockEvent> events = new ConcurrentLinkedQueue<>();
  public final Lockkeeper keeper;

  private final ConcurrentLinkedQueue<Runnable> callbacks = new ConcurrentLinkedQueue<>();
  private final List<Actor> actors = new ArrayList<>();

  private Rig(ScriptedStore store, UnaryOperator<LockkeeperBuilder> settings) {
    this.store = store;
    LockkeeperBuilder builder =
        Lockkeeper.builder()
            .clientName("test")
            .lease(LEASE)
            .environment(environment())
            .executor(callbacks::add)
            .listener(events::add);
    this.keeper = settings.apply(builder).connect(context -> store);
  }

  private Environment environment() {
    TimeSource clock =
        new TimeSource() {
          @Override
          public long nanos() {
            if (failing.compareAndSet(Thread.currentThread(), null)) {
              throw new NoClassDefFoundError("made up");
            }
            return time.nanos();
          }

          @Override
          public long doubts() {
            return doubts;
          }
        };
    // What is random is the jitter of the client, which these tests do not vary.
    return new Environment(clock, () -> scheduler, new Random(11), this::reached, null);
  }

  private void reached(Enum<?> transition) {
    Error fault = faults.remove(transition);
    if (fault != null) {
      throw fault;
    }
  }

  public static Rig on(ScriptedStore store) {
    return new Rig(store, UnaryOperator.identity());
  }

  public static Rig with(ScriptedStore store, UnaryOperator<LockkeeperBuilder> settings) {
    return new Rig(store, settings);
  }

  /** A client whose store says nothing until the test does. */
  public static Rig silent() {
    return new Rig(new ScriptedStore(), UnaryOperator.identity());
  }

  public static Rig silent(UnaryOperator<LockkeeperBuilder> settings) {
    return new Rig(new ScriptedStore(), settings);
  }

  /** A client whose store agrees to everything. */
  public static Rig obliging() {
    return new Rig(ScriptedStore.obliging(), UnaryOperator.identity());
  }

  public static Rig obliging(UnaryOperator<LockkeeperBuilder> settings) {
    return new Rig(ScriptedStore.obliging(), settings);
  }

  /** Runs the callbacks that wait, and those that they cause. */
  public void settle() {
    for (Runnable next = callbacks.poll(); next != null; next = callbacks.poll()) {
      next.run();
    }
  }

  /** Lets time pass, with all that is due in it, in order. */
  public void pass(Duration duration) {
    long until = time.nanos() + duration.toNanos();
    while (scheduler.runNext(until)) {
      settle();
    }
    time.advanceTo(until);
    settle();
  }

  /** Lets time pass as a machine does that does not run: nothing that is due happens. */
  public void freeze(Duration duration) {
    time.advance(duration);
  }

  /** Returns the lease that a request must have got by now. */
  public Lease got(CompletionStage<Lease> request) {
    settle();
    CompletableFuture<Lease> future = request.toCompletableFuture();
    assertThat(future).as("the request").isCompleted();
    return future.join();
  }

  /** Returns what a request must have failed with by now. */
  public Throwable failed(CompletionStage<?> request) {
    settle();
    CompletableFuture<?> future = request.toCompletableFuture();
    assertThat(future).as("the request").isCompletedExceptionally();
    return future.handle((result, failure) -> failure).join();
  }

  public boolean isWaiting(CompletionStage<Lease> request) {
    settle();
    return !request.toCompletableFuture().isDone();
  }

  /** Returns the events of one kind so far, in order. */
  public <E extends LockEvent> List<E> events(Class<E> kind) {
    settle();
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** Returns a thread that carries out commands. */
  public Actor actor(String name) {
    Actor actor = new Actor(name);
    actors.add(actor);
    return actor;
  }

  @Override
  public void close() {
    store.oblige();
    pass(Duration.ofSeconds(10)); // for what is asked again later
    keeper.close();
    settle();
    actors.forEach(Actor::close);
    assertThat(scheduler.isClosed()).as("scheduler closed").isTrue();
    assertThat(store.closed).as("store closed").isTrue();
  }
}
