package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.Registration;
import io.lockkeeper.SharedValue;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.VersionedValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Chapter "Shared values".
 *
 * <p>This file is long because a chapter has all tests of its promises.
 */
@SuppressWarnings("try") // a registration is only there to be closed
public abstract class SharedValueTck extends TckBase {

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Writes down what it hears; what is not there is written as a dash. */
  private static final class Ear implements Consumer<Optional<VersionedValue>> {

    final ConcurrentLinkedDeque<String> heard = new ConcurrentLinkedDeque<>();

    @Override
    public void accept(Optional<VersionedValue> value) {
      heard.add(value.map(VersionedValue::text).orElse("-"));
    }

    void awaitLast(String text) {
      eventually().until(() -> text.equals(heard.peekLast()));
    }
  }

  // ------------------------------------------------------------- values

  @Test
  @Promise("SV1")
  void whatOneClientSetsAnotherGets() {
    SharedValue value = client().sharedValue(NAME);
    SharedValue other = client().sharedValue(NAME);
    assertThat(value.name()).isEqualTo(NAME);
    assertThat(other.get()).isEmpty();

    long version = value.set("größer 🔑");

    VersionedValue found = other.get().orElseThrow();
    assertThat(found.text()).isEqualTo("größer 🔑");
    assertThat(found.version()).isEqualTo(version);
    assertThat(Worker.outcome(other.getAsync())).contains(found);
    assertThat(Worker.outcome(value.setAsync(bytes("b")))).isGreaterThan(version);
    value.delete();
  }

  @Test
  @Promise("SV1")
  void itHoldsAnyBytesUpToAMebibyteOrWhatTheStoreTakes() {
    SharedValue value = client().sharedValue(NAME);
    byte[] large = new byte[store().largestValue()];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) i;
    }
    value.set(large);
    assertThat(client().sharedValue(NAME).get().orElseThrow().bytes()).isEqualTo(large);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> value.set(new byte[SharedValue.MAX_BYTES + 1]));
    if (large.length < SharedValue.MAX_BYTES) {
      assertThatExceptionOfType(StoreRefusedException.class)
          .isThrownBy(() -> value.set(new byte[SharedValue.MAX_BYTES]));
      assertThat(value.get().orElseThrow().bytes()).isEqualTo(large);
    }

    value.set(new byte[0]);
    assertThat(value.get().orElseThrow().bytes()).isEmpty();
    value.delete();
  }

  @Test
  @Promise("SV1")
  void nobodyElsesArrayIsKept() {
    SharedValue value = client().sharedValue(NAME);
    byte[] given = bytes("abc");
    CompletableFuture<Long> set = value.setAsync(given).toCompletableFuture();
    given[0] = 'x';
    Worker.get(set);
    VersionedValue found = value.get().orElseThrow();
    found.bytes()[0] = 'y';

    assertThat(found.text()).isEqualTo("abc");
    assertThat(value.get().orElseThrow().text()).isEqualTo("abc");
    value.delete();
  }

  @Test
  @Promise("SV2")
  void versionsGrowWithEveryChangeOverADeletionToo() {
    SharedValue value = client().sharedValue(NAME);
    long last = 0;
    for (int i = 0; i < 20; i++) {
      long version = value.set("same");
      assertThat(version).isGreaterThan(last);
      last = version;
      if (i % 3 == 0) {
        assertThat(value.delete()).isTrue();
        assertThat(value.delete()).isFalse();
        assertThat(value.get()).isEmpty();
      }
    }
    value.delete();
  }

  @Test
  @Promise("SV2")
  void aVersionIsReplacedOnce() {
    SharedValue value = client().sharedValue(NAME);
    assertThat(value.compareAndSet(17, "never")).isEmpty();
    long first = value.compareAndSet(0, "a").orElseThrow();
    assertThat(value.compareAndSet(0, "b")).isEmpty();
    long second = value.compareAndSet(first, bytes("c")).orElseThrow();
    assertThat(value.compareAndSet(first, "d")).isEmpty();

    assertThat(second).isGreaterThan(first);
    assertThat(value.get()).contains(new VersionedValue(second, bytes("c")));
    value.delete();
    assertThat(value.compareAndSet(second, "e")).isEmpty();
    assertThat(value.get()).isEmpty();
  }

  @Test
  @Promise("SV2")
  void ofManyThatReplaceOneVersionOneWins() {
    List<SharedValue> values = List.of(client().sharedValue(NAME), client().sharedValue(NAME));
    long version = values.get(0).set("start");
    AtomicInteger won = new AtomicInteger();

    together(
        16,
        i -> {
          if (values.get(i % 2).compareAndSet(version, "winner " + i).isPresent()) {
            won.incrementAndGet();
          }
        });

    assertThat(won).hasValue(1);
    values.get(0).delete();
  }

  @Test
  @Promise("SV2")
  void updatesUnderContentionLoseNothingAndDoNotFail() {
    List<SharedValue> values = List.of(client().sharedValue(NAME), client().sharedValue(NAME));
    int rounds = 25;

    together(
        8,
        i -> {
          for (int round = 0; round < rounds; round++) {
            values.get(i % 2).update(found -> bytes(next(found)));
          }
        });

    assertThat(values.get(0).get().orElseThrow().text()).isEqualTo("200");
    values.get(0).delete();
  }

  private static String next(Optional<VersionedValue> found) {
    return found.map(value -> Integer.toString(Integer.parseInt(value.text()) + 1)).orElse("1");
  }

  @Test
  @Promise("SV2")
  void aChangeWhoseAnswerIsLostIsMadeOnce() {
    Faults faults = faults();
    SharedValue value = client(faults).sharedValue(NAME);
    long version = 0;
    for (int i = 0; i < 20; i++) {
      faults.loseReplies(1 + i % 2);
      OptionalLong next = value.compareAndSet(version, "round " + i);
      assertThat(next).as("round " + i).isPresent();
      version = next.getAsLong();
    }
    assertThat(value.get()).contains(new VersionedValue(version, bytes("round 19")));
    faults.loseReplies(2);
    assertThat(value.delete()).isTrue();
  }

  @Test
  @Promise("SV3")
  void itOutlivesItsClients() {
    Lockkeeper first = client();
    first.sharedValue(NAME).set("kept");
    first.close();

    SharedValue value = client().sharedValue(NAME);

    assertThat(value.get().orElseThrow().text()).isEqualTo("kept");
    value.delete();
  }

  @Test
  @Promise("SV3")
  @SuppressWarnings("NullAway") // that is the point
  void badInputIsRefusedFirst() {
    Lockkeeper keeper = client();
    SharedValue value = keeper.sharedValue(NAME);
    assertThatIllegalArgumentException().isThrownBy(() -> keeper.sharedValue(""));
    assertThatNullPointerException().isThrownBy(() -> keeper.sharedValue(null));
    assertThatNullPointerException().isThrownBy(() -> value.set((byte[]) null));
    assertThatNullPointerException().isThrownBy(() -> value.set((String) null));
    assertThatNullPointerException().isThrownBy(() -> value.setAsync((byte[]) null));
    assertThatNullPointerException().isThrownBy(() -> value.update(null));
    assertThatNullPointerException().isThrownBy(() -> value.update(found -> null));
    assertThatNullPointerException().isThrownBy(() -> value.onChange(null));
    assertThatIllegalArgumentException().isThrownBy(() -> value.compareAndSet(-1, "a"));
    assertThat(value.get()).isEmpty();
  }

  @Test
  @Promise("SV3")
  void patienceHasAnEndAndClosingToo() {
    Faults faults = faults();
    Lockkeeper keeper = client(faults, builder -> builder.storeTimeout(Delays.millis(300)));
    SharedValue value = keeper.sharedValue(NAME);
    faults.refuse();

    assertThatThrownBy(() -> value.set("a")).isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(value::get).isInstanceOf(StoreUnavailableException.class);

    faults.heal();
    keeper.close();
    assertThatThrownBy(value::get).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(() -> value.onChange(found -> {}))
        .isInstanceOf(LockkeeperClosedException.class);
  }

  // ------------------------------------------------------------- listeners

  @Test
  @Promise("SV4")
  void aListenerHearsTheValueAsItIsAndEveryLaterLastOne() {
    SharedValue value = client().sharedValue(NAME);
    SharedValue other = client().sharedValue(NAME);
    Ear early = new Ear();
    Ear late = new Ear();
    try (Registration first = value.onChange(early)) {
      early.awaitLast("-");
      other.set("a");
      early.awaitLast("a");
      try (Registration second = value.onChange(late)) {
        late.awaitLast("a");
        value.set("b"); // by the client that listens
        early.awaitLast("b");
        late.awaitLast("b");
        for (int i = 0; i < 200; i++) {
          other.set("n" + i);
        }
        early.awaitLast("n199");
        late.awaitLast("n199");
        other.delete();
        early.awaitLast("-");
        late.awaitLast("-");
      }
    }
    assertThat(numbers(early.heard)).isSorted();
  }

  private static List<Integer> numbers(Iterable<String> heard) {
    List<Integer> numbers = new ArrayList<>();
    heard.forEach(
        text -> {
          if (text.startsWith("n")) {
            numbers.add(Integer.valueOf(text.substring(1)));
          }
        });
    return numbers;
  }

  @Test
  @Promise("SV4")
  void theLastValueIsHeardWithoutAnyMessageOfTheStore() {
    Faults deaf = faults();
    SharedValue value = client(deaf).sharedValue(NAME);
    SharedValue other = client().sharedValue(NAME);
    deaf.loseNotifications();
    Ear ear = new Ear();
    try (Registration registration = value.onChange(ear)) {
      ear.awaitLast("-");
      other.set("a");
      other.set("b");
      eventually().atMost(Delays.millis(3_000)).until(() -> "b".equals(ear.heard.peekLast()));
    }
    other.delete();
  }

  @Test
  @Promise("SV4")
  void whoHasClosedARegistrationFindsNoCallUnderWay() throws InterruptedException {
    SharedValue value = client().sharedValue(NAME);
    CountDownLatch called = new CountDownLatch(1);
    CompletableFuture<Boolean> goOn = new CompletableFuture<>();
    AtomicInteger inside = new AtomicInteger();
    Registration registration =
        value.onChange(
            seen -> {
              inside.incrementAndGet();
              called.countDown();
              Worker.get(goOn);
              inside.decrementAndGet();
            });
    assertThat(called.await(Delays.patience().toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    Worker closer = worker();
    Future<Integer> closed =
        closer.start(
            () -> {
              registration.close();
              return inside.get();
            });
    closer.awaitParked();
    assertThat(closed.isDone()).isFalse();
    goOn.complete(true);
    assertThat(Worker.get(closed)).isZero();
  }

  @Test
  @Promise("SV4")
  void aListenerMayCloseItsOwnRegistration() {
    SharedValue value = client().sharedValue(NAME);
    CompletableFuture<Registration> own = new CompletableFuture<>();
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    own.complete(
        value.onChange(
            seen -> {
              own.join().close();
              done.complete(true);
            }));
    assertThat(Worker.get(done)).isTrue();
  }

  @Test
  @Promise("SV4")
  void theLastValueIsHeardAfterAnInterruption() {
    Faults faults = faults();
    SharedValue value =
        client(faults, builder -> builder.storeTimeout(Delays.millis(300))).sharedValue(NAME);
    SharedValue other = client().sharedValue(NAME);
    Ear ear = new Ear();
    try (Registration registration = value.onChange(ear)) {
      ear.awaitLast("-");
      faults.refuse();
      other.set("a");
      other.set("b");
      pass(Delays.millis(600)); // beyond the patience: listeners go on
      assertThat(ear.heard.peekLast()).isEqualTo("-");
      faults.heal();
      ear.awaitLast("b");
    }
    other.delete();
  }

  @Test
  @Promise("SV4")
  void aListenerHearsOneValueAtATimeAndASlowOneHearsTheLast() throws InterruptedException {
    SharedValue value = client().sharedValue(NAME);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Ear ear = new Ear();
    try (Registration registration =
        value.onChange(
            found -> {
              most.accumulateAndGet(inside.incrementAndGet(), Math::max);
              ear.accept(found);
              awaitQuietly(goOn);
              inside.decrementAndGet();
            })) {
      ear.awaitLast("-");
      for (int i = 0; i < 50; i++) {
        value.set("n" + i); // the listener, which is busy, keeps nobody
      }
      goOn.countDown();
      ear.awaitLast("n49");
    }
    assertThat(most).hasValue(1);
    value.delete();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @Promise("SV4")
  void aListenerThatThrowsHearsTheNextValueAndMayCallBack() {
    SharedValue value = client().sharedValue(NAME);
    Ear ear = new Ear();
    try (Registration registration =
        value.onChange(
            found -> {
              ear.accept(found);
              if (found.isEmpty()) {
                value.set("from the listener");
              }
              throw new IllegalStateException("by the test's wish");
            })) {
      ear.awaitLast("from the listener");
      value.set("b");
      ear.awaitLast("b");
    }
    value.delete();
  }

  @Test
  @Promise("SV4")
  void aListenerThatIsEndedHearsNothingMore() {
    SharedValue value = client().sharedValue(NAME);
    Ear ended = new Ear();
    Ear other = new Ear();
    Registration registration = value.onChange(ended);
    try (Registration going = value.onChange(other)) {
      ended.awaitLast("-");
      other.awaitLast("-");
      registration.close();
      registration.close();

      value.set("a");

      other.awaitLast("a");
      assertThat(ended.heard).containsExactly("-");
    }
    value.delete();
  }

  @Test
  @Promise({"SV4", "C4"})
  void closingTheClientEndsItsListeners() {
    Lockkeeper keeper = client();
    SharedValue other = client().sharedValue(NAME);
    Ear ear = new Ear();
    keeper.sharedValue(NAME).onChange(ear);
    ear.awaitLast("-");

    keeper.close();
    other.set("a");
    pass(Duration.ofMillis(50));

    assertThat(ear.heard).containsExactly("-");
    other.delete();
  }
}
