package io.lockkeeper.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.integration.HealthCheck;
import io.lockkeeper.integration.LockInterruptedException;
import io.lockkeeper.integration.MethodLock;
import io.lockkeeper.integration.OnFailure;
import io.lockkeeper.testkit.tck.Delays;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The common parts of integrations, on the store that is at hand. */
class MethodLockTest {

  private static final String URL = "memory:method-lock";

  private final Lockkeeper keeper = Lockkeeper.connect(URL);
  private final Lockkeeper other = Lockkeeper.connect(URL);

  @AfterEach
  void close() {
    keeper.close();
    other.close();
  }

  private static MethodLock lock(String name, String wait, OnFailure onFailure, Class<?> result) {
    return MethodLock.of(
        MethodLockTest.class,
        "method",
        name,
        wait,
        "",
        onFailure,
        List.of("sku", "place"),
        List.of(Object.class, Object.class),
        result);
  }

  private static MethodLock lock(String name) {
    return lock(name, "", OnFailure.THROW, void.class);
  }

  @Test
  void parametersAreAPartOfTheName() {
    lock("stock:{sku} at {place}")
        .call(
            keeper,
            new Object[] {7L, "{sku}"},
            () -> assertThat(other.lock("stock:7 at {sku}").isLocked()).isTrue());
    lock("")
        .call(
            keeper,
            new Object[] {"", ""},
            () -> assertThat(other.lock("MethodLockTest.method").isLocked()).isTrue());
  }

  @Test
  void anArgumentWithoutATextOfItsOwnIsRefused() {
    assertThatThrownBy(() -> lock("{sku}").call(keeper, new Object[] {null, ""}, () -> null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an argument of the lock's name '{sku}' is null");
    for (Object odd : new Object[] {new Object(), new String[] {"a"}}) {
      assertThatThrownBy(() -> lock("{sku}").call(keeper, new Object[] {odd, ""}, () -> null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("without a toString() of its own");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "a}", "{sk", "{sku}}", "{sku.id}", "{}", "{#sku}"})
  void aNameThatCannotBeMeantIsRefused(String name) {
    assertThatThrownBy(() -> lock(name))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("@Locked method MethodLockTest.method has the name '" + name + "'");
  }

  @Test
  void whoComesLateIsSkippedOrFails() {
    other.lock("a").lock();

    assertThat(lock("a", "0", OnFailure.SKIP, int.class).call(keeper, new Object[2], () -> 1))
        .isEqualTo(0);
    assertThat(lock("a", "0", OnFailure.SKIP, Optional.class).call(keeper, new Object[2], () -> 1))
        .isEqualTo(Optional.empty());
    assertThat(lock("a", "0", OnFailure.SKIP, void.class).call(keeper, new Object[2], () -> 1))
        .isNull();
    assertThat(
            (CompletionStage<?>)
                lock("a", "0", OnFailure.SKIP, CompletionStage.class)
                    .call(keeper, new Object[2], () -> 1))
        .isCompletedWithValue(null);
    assertThatThrownBy(
            () ->
                lock("a", "1ms", OnFailure.THROW, void.class)
                    .call(keeper, new Object[2], () -> null))
        .isInstanceOf(AcquireTimeoutException.class)
        .hasMessage("'a' was not granted within 1ms");
  }

  /** Only a failure of this lock's own skips the call. */
  @Test
  void aTimeoutInsideTheMethodComesAsItIs() {
    AcquireTimeoutException inner = new AcquireTimeoutException("inner");
    for (Class<?> result : List.of(void.class, CompletionStage.class)) {
      assertThatThrownBy(
              () ->
                  lock("a", "0", OnFailure.SKIP, result)
                      .call(
                          keeper,
                          new Object[2],
                          () -> {
                            throw inner;
                          }))
          .isSameAs(inner);
    }
  }

  @Test
  void aLossIsThrownAfterTheMethodOrSuppressed() {
    assertThatThrownBy(() -> lock("a").call(keeper, new Object[2], this::lose))
        .isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(
            () ->
                lock("a")
                    .call(
                        keeper,
                        new Object[2],
                        () -> {
                          lose();
                          throw new IOException("of the method");
                        }))
        .isInstanceOf(IOException.class)
        .satisfies(
            failure ->
                assertThat(failure.getSuppressed()[0]).isInstanceOf(LeaseLostException.class));
  }

  private Object lose() {
    var held = keeper.lock("a").heldLease();
    other.lock("a").forceUnlock();
    await().atMost(Delays.patience()).until(() -> !held.isValid());
    return null;
  }

  @Test
  void anInterruptEndsTheWait() {
    other.lock("a").lock();
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> lock("a").call(keeper, new Object[2], () -> null))
        .isInstanceOf(LockInterruptedException.class)
        .hasMessage("interrupted while waiting for a");
    assertThat(Thread.interrupted()).isTrue();
  }

  private CompletableFuture<?> stage(CompletionStage<?> inside) {
    return (CompletableFuture<?>)
        lock("a", "", OnFailure.THROW, CompletableFuture.class)
            .call(keeper, new Object[2], () -> inside);
  }

  @Test
  void aStageKeepsTheLockUntilItsEnd() {
    CompletableFuture<String> inside = new CompletableFuture<>();
    CompletableFuture<?> outside = stage(inside);
    assertThat(other.lock("a").isLocked()).isTrue();

    inside.completeExceptionally(new CompletionException(new IOException("late")));

    assertThatThrownBy(outside::join).hasCauseInstanceOf(IOException.class);
    assertThatThrownBy(() -> stage(null)).hasMessageContaining("null instead of a stage");
    CompletableFuture<String> cancelled = new CompletableFuture<>();
    stage(cancelled).cancel(true);
    assertThatThrownBy(cancelled::join).isInstanceOf(CancellationException.class);
    other.lock("a").lock(); // each time it was released
  }

  @Test
  void resultsWithoutAnEndFail() {
    for (Class<?> later : List.of(Flow.Publisher.class, FutureTask.class)) {
      assertThatThrownBy(() -> lock("a", "", OnFailure.THROW, later))
          .hasMessageStartingWith("@Locked method MethodLockTest.method returns a ");
    }
    assertThatThrownBy(() -> lock("a", "5", OnFailure.THROW, void.class))
        .hasMessageContaining("has the waitTime '5', which must be a duration with a unit");
  }

  @Test
  void theHealthHasDetailsOrFails() {
    HealthCheck check = new HealthCheck(() -> keeper, "shop");

    assertThat(check.call())
        .containsEntry("namespace", "shop")
        .containsEntry("lostLeases", 0L)
        .containsKeys("client", "pingMillis", "droppedEvents")
        .doesNotContainKey(HealthCheck.REASON);
    keeper.close();
    assertThatThrownBy(check::call).isInstanceOf(LockkeeperClosedException.class);
  }

  @Test
  void aListenerHasNoProperty() {
    HealthCheck check = new HealthCheck(() -> keeper, null);
    try (Lockkeeper made =
        Lockkeeper.fromProperties(
            Map.of("lockkeeper.url", URL, "lockkeeper.client-name", "of properties"),
            builder -> builder.listener(check).clientName("replaced"))) {
      assertThat(made.clientName()).isEqualTo("of properties");
    }
  }
}
