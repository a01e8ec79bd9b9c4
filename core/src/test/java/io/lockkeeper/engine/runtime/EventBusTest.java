package io.lockkeeper.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import io.lockkeeper.LockListener.Connection;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.engine.LogCapture;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventBusTest {

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final List<LockEvent> heard = new ArrayList<>();
  private final List<String> messages = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();

  private EventBus busOn(Executor executor, LockListener... listeners) {
    return new EventBus(
        List.of(listeners),
        executor,
        (what, failure) -> {
          messages.add(what);
          failures.add(failure);
        });
  }

  private EventBus bus(LockListener... listeners) {
    return busOn(tasks::add, listeners);
  }

  private void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  private static LockEvent event(int number) {
    return new LockEvent.Released(ResourceKind.LOCK, "n", number, Duration.ZERO);
  }

  private static List<LockEvent> events(int from, int to) {
    return IntStream.range(from, to).mapToObj(EventBusTest::event).toList();
  }

  @Test
  void aListenerWantsAllKindsUnlessItSaysOtherwise() {
    EventBus nobody = bus();
    EventBus somebody = bus(heard::add);
    for (Class<?> kind : LockEvent.class.getPermittedSubclasses()) {
      assertThat(nobody.wants(kind.asSubclass(LockEvent.class))).as("%s", kind).isFalse();
      assertThat(somebody.wants(kind.asSubclass(LockEvent.class))).as("%s", kind).isTrue();
    }
  }

  @Test
  void aListenerHearsOnlyWhatItWants() {
    List<LockEvent> losses = new ArrayList<>();
    LockListener ofLosses =
        new LockListener() {
          @Override
          public void onEvent(LockEvent event) {
            losses.add(event);
          }

          @Override
          public boolean wants(Class<? extends LockEvent> kind) {
            return kind == LockEvent.Lost.class;
          }
        };
    LockEvent lost = new LockEvent.Lost(ResourceKind.LOCK, "n", 2, LeaseLost.Reason.NOT_AT_STORE);
    assertThat(bus(ofLosses).wants(LockEvent.Lost.class)).isTrue();
    assertThat(bus(ofLosses).wants(LockEvent.Released.class)).isFalse();

    EventBus bus = bus(ofLosses, heard::add);
    bus.publish(event(1));
    bus.publish(lost);
    runTasks();

    assertThat(losses).containsExactly(lost);
    assertThat(heard).containsExactly(event(1), lost);
  }

  @Test
  void listenersHearEventsOnTheExecutorAndNotBefore() {
    EventBus bus = bus(heard::add);
    bus.publish(event(1));
    assertThat(heard).isEmpty();
    runTasks();

    assertThat(heard).containsExactly(event(1));
  }

  @Test
  void everyListenerHearsEveryEventInOrder() {
    List<LockEvent> second = new ArrayList<>();
    EventBus bus = bus(heard::add, second::add);
    events(0, 100).forEach(bus::publish);
    runTasks();
    events(100, 200).forEach(bus::publish);
    runTasks();

    assertThat(heard).isEqualTo(events(0, 200));
    assertThat(second).isEqualTo(events(0, 200));
  }

  @Test
  void manyEventsNeedOneTask() {
    EventBus bus = bus(heard::add);
    events(0, 1_000).forEach(bus::publish);

    assertThat(tasks).hasSize(1);
  }

  @Test
  void whatAListenerThrowsIsLoggedAndHarmsNobody() {
    IllegalStateException failure = new IllegalStateException("the listener's own");
    EventBus bus =
        bus(
            event -> {
              throw failure;
            },
            heard::add);
    events(0, 3).forEach(bus::publish);
    runTasks();

    assertThat(failures).containsExactly(failure, failure, failure);
    assertThat(messages).allMatch(message -> message.contains("name=n,"));
    assertThat(heard).isEqualTo(events(0, 3));
  }

  @Test
  void anErrorInAListenerDoesNotEndTheDelivery() {
    AssertionError failure = new AssertionError("the listener's own");
    AtomicBoolean first = new AtomicBoolean(true);
    EventBus bus =
        bus(
            event -> {
              if (first.getAndSet(false)) {
                throw failure;
              }
            },
            heard::add);
    events(0, 3).forEach(bus::publish);
    runTasks();

    assertThat(failures).containsExactly(failure);
    bus.publish(event(3));
    runTasks();
    assertThat(heard).isEqualTo(events(0, 4));
  }

  @Test
  void anEventThatTheExecutorCouldNotTakeIsHeardWithTheNext() {
    AtomicBoolean broken = new AtomicBoolean(true);
    EventBus bus =
        busOn(
            task -> {
              if (broken.get()) {
                throw new OutOfMemoryError("made up");
              }
              tasks.add(task);
            },
            heard::add);
    bus.publish(event(0));
    broken.set(false);
    bus.publish(event(1));
    runTasks();

    assertThat(heard).isEqualTo(events(0, 2));
    assertThat(failures).hasSize(1);
  }

  @Test
  void aListenerMayPublishMore() {
    List<EventBus> self = new ArrayList<>();
    EventBus bus =
        bus(
            event -> {
              heard.add(event);
              if (heard.size() < 5) {
                self.get(0).publish(event(heard.size()));
              }
            });
    self.add(bus);
    bus.publish(event(0));
    runTasks();

    assertThat(heard).isEqualTo(events(0, 5));
  }

  @Test
  void aListenerThatFallsFarBehindLosesTheNewestEvents() {
    EventBus bus = bus(heard::add);
    try (LogCapture log = new LogCapture()) {
      events(0, 100_010).forEach(bus::publish);

      assertThat(log.messages())
          .containsExactly("a lock listener is too slow: events are dropped from here on");
    }
    runTasks();
    bus.publish(event(200_000));
    runTasks();

    assertThat(heard).hasSize(100_001).startsWith(event(0)).endsWith(event(99_999), event(200_000));
    assertThat(bus.dropped()).isEqualTo(10);
  }

  @Test
  void eventsOfOneThreadStayInOrderAmongManyThreads() throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    List<LockEvent> all = new ArrayList<>(); // written by one delivery at a time
    EventBus bus = busOn(pool, all::add);
    List<Thread> publishers = new ArrayList<>();
    for (int p = 0; p < 4; p++) {
      String name = "p" + p;
      Thread thread =
          new Thread(
              () ->
                  IntStream.range(0, 5_000)
                      .forEach(
                          i ->
                              bus.publish(
                                  new LockEvent.Released(
                                      ResourceKind.LOCK, name, i, Duration.ZERO))));
      publishers.add(thread);
      thread.start();
    }
    for (Thread publisher : publishers) {
      publisher.join();
    }
    pool.shutdown();
    assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();

    assertThat(all).hasSize(20_000);
    for (int p = 0; p < 4; p++) {
      String name = "p" + p;
      List<Long> tokens =
          all.stream()
              .filter(event -> event.name().equals(name))
              .map(event -> ((LockEvent.Released) event).token())
              .toList();
      assertThat(tokens).isSorted();
    }
  }

  /** A client opens, and its store has lost its connection and has it again in the same moment. */
  @Test
  void theFirstConnectionIsHeardOfFirstWhicheverThreadFindsIt() throws InterruptedException {
    for (int round = 0; round < 500; round++) {
      List<Connection> all = new ArrayList<>(); // written by one delivery at a time
      EventBus bus = busOn(Runnable::run, connections(all));
      Thread store = new Thread(bus::publishConnection);
      store.start();
      bus.publishConnection();
      store.join();

      assertThat(all).containsExactly(Connection.CONNECTED, Connection.RECONNECTED);
    }
  }

  private static LockListener connections(List<Connection> heard) {
    return new LockListener() {
      @Override
      public void onEvent(LockEvent event) {}

      @Override
      public void onConnection(Connection change) {
        heard.add(change);
      }
    };
  }
}
