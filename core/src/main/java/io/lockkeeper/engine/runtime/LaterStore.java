package io.lockkeeper.engine.runtime;

import io.lockkeeper.Quarantine;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.WithdrawAnswer;
import io.lockkeeper.spi.support.ForwardingStore;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that is opened in the background, by a thread that tries until it succeeds or the client
 * closes.
 *
 * <p>Until then each request is answered at once: with an unknown outcome, so that the engine asks
 * again as long as its callers wait; or, if the last attempt was refused, with that refusal.
 * Nothing has reached the store by then, so a claim is withdrawn by saying so.
 *
 * <p>If it is to be opened at the first use, the first request begins that, and requests wait until
 * the first attempt is over. They are sent or answered then in their order: a claim must not
 * overtake its withdrawal.
 */
final class LaterStore extends ForwardingStore {

  private static final Logger LOG = System.getLogger("io.lockkeeper");
  private static final long FIRST_PAUSE_NANOS = 100_000_000;
  private static final long LAST_PAUSE_NANOS = 2_000_000_000;
  private static final long STOP_MILLIS = 2_000;

  /**
   * Nobody knows before the store is open: nothing is granted until then, so little rests on it.
   */
  private static final StoreTraits UNKNOWN_TRAITS = new StoreTraits(true, false);

  private final StoreFactory factory;
  private final StoreContext context;
  private final Thread connector = DaemonThreads.create(this::connect, "lockkeeper-connect");
  private final CountDownLatch closing = new CountDownLatch(1);

  /** Whether nothing is tried before the first request. */
  private final boolean waitsForUse;

  /** Decides between opening and closing, and orders requests. Nothing is called under it. */
  private final ReentrantLock mutex = new ReentrantLock();

  /** Whether the client has closed. Guarded by the mutex. */
  private boolean closed;

  /** Whether the connecting thread was started by a request. Guarded by the mutex. */
  private boolean begun;

  /** The requests made before the first attempt is over. Guarded by the mutex. */
  private List<Runnable> waiting = new ArrayList<>();

  /** Whether requests no longer wait. Written under the mutex. */
  private volatile boolean answersAtOnce;

  /** The store, once it is open. Written under the mutex. */
  private volatile @Nullable Store store;

  /** Why it is not open. */
  private volatile RuntimeException reason =
      new StoreUnavailableException("not connected yet", null);

  private volatile NotificationListener listener = NotificationListener.silent();

  LaterStore(StoreFactory factory, StoreContext context, boolean waitsForUse) {
    this.factory = factory;
    this.context = context;
    this.waitsForUse = waitsForUse;
    this.answersAtOnce = !waitsForUse;
  }

  // ---------------------------------------------------------------- connecting

  /** Begins to connect, unless that waits for the first request. */
  @Override
  public void listen(NotificationListener notifications) {
    listener = notifications;
    if (!waitsForUse) {
      connector.start();
    }
  }

  private void connect() {
    long pauseNanos = FIRST_PAUSE_NANOS;
    for (int attempt = 1; !isClosing(pauseNanos, attempt); attempt++) {
      try {
        adopt(StoreOpening.open(factory, context));
        if (attempt > 1) {
          LOG.log(Level.INFO, "{0}: connected after {1} attempts", factory.describe(), attempt);
        }
        break;
      } catch (Throwable failure) { // an error too: there is nobody else to try again
        fail(attempt, failure);
      }
      sendWhatWaits();
      pauseNanos = Math.min(LAST_PAUSE_NANOS, 2 * pauseNanos);
    }
    sendWhatWaits();
    if (store != null) {
      listener.reconnected();
    }
  }

  /** Returns whether the client closes before the next attempt is due. */
  private boolean isClosing(long pauseNanos, int attempt) {
    try {
      return closing.await(attempt == 1 ? 0 : jitter(pauseNanos), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      return true; // only close() does that
    }
  }

  private long jitter(long nanos) {
    return nanos * 3 / 4 + context.environment().random().nextLong(nanos / 2 + 1);
  }

  private void fail(int attempt, Throwable failure) {
    String what = "not connected after attempt " + attempt + ": " + failure.getMessage();
    if (failure instanceof StoreRefusedException refused) {
      reason = new StoreRefusedException(refused.problem(), what);
    } else if (failure instanceof IllegalArgumentException) {
      reason = new StoreRefusedException(StoreProblem.OTHER, what);
    } else {
      reason = new StoreUnavailableException(what, failure);
    }
    if (attempt == 1 && closing.getCount() > 0) {
      LOG.log(Level.WARNING, "{0}: {1}; it is tried again", factory.describe(), what);
    }
  }

  boolean isOpen() {
    return store != null;
  }

  private void adopt(Store opened) {
    boolean isTooLate;
    try {
      opened.listen(listener);
    } catch (Throwable failure) {
      opened.close();
      throw failure;
    }
    mutex.lock();
    try {
      isTooLate = closed;
      store = closed ? null : opened;
    } finally {
      mutex.unlock();
    }
    if (isTooLate) {
      opened.close();
    }
  }

  @Override
  public void close() {
    Store open;
    mutex.lock();
    try {
      closed = true;
      open = store;
    } finally {
      mutex.unlock();
    }
    closing.countDown();
    if (open != null) {
      open.close();
      return;
    }
    sendWhatWaits();
    connector.interrupt();
    try {
      connector.join(STOP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // it ends by itself
    }
  }

  // ---------------------------------------------------------------- requests

  @Override
  protected <T> CompletionStage<Outcome<T>> one(
      String method, Object about, Function<Store, CompletionStage<Outcome<T>>> request) {
    return inTurn(request, this::notYet);
  }

  @Override
  protected <T> CompletionStage<List<Outcome<T>>> each(
      String method, List<?> batch, Function<Store, CompletionStage<List<Outcome<T>>>> request) {
    return inTurn(request, () -> Collections.nCopies(batch.size(), notYet()));
  }

  /** Asks the store, if it is open; waits before that until the first attempt is over. */
  private <T> CompletionStage<T> inTurn(
      Function<Store, CompletionStage<T>> question, Supplier<T> withoutStore) {
    if (answersAtOnce) {
      return now(question, withoutStore);
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    boolean isFirst = false;
    boolean waits;
    mutex.lock();
    try {
      waits = !answersAtOnce;
      if (waits) {
        waiting.add(() -> send(question, withoutStore, answer));
        isFirst = !begun;
        begun = true;
      }
    } finally {
      mutex.unlock();
    }
    if (!waits) {
      return now(question, withoutStore);
    }
    if (isFirst) {
      begin();
    }
    return answer;
  }

  private <T> CompletionStage<T> now(
      Function<Store, CompletionStage<T>> question, Supplier<T> withoutStore) {
    Store open = store;
    return open == null
        ? CompletableFuture.completedFuture(withoutStore.get())
        : question.apply(open);
  }

  private <T> void send(
      Function<Store, CompletionStage<T>> question,
      Supplier<T> withoutStore,
      CompletableFuture<T> answer) {
    try {
      var unused =
          now(question, withoutStore)
              .whenComplete(
                  (value, failure) -> {
                    if (failure == null) {
                      answer.complete(value);
                    } else {
                      answer.completeExceptionally(failure);
                    }
                  });
    } catch (Throwable failure) { // an error too: others wait behind this request
      answer.completeExceptionally(failure);
    }
  }

  private void begin() {
    try {
      connector.start();
    } catch (Throwable failure) { // no thread to be had: the next request tries it again
      reason = new StoreUnavailableException("cannot connect: " + failure.getMessage(), failure);
      mutex.lock();
      try {
        begun = false;
      } finally {
        mutex.unlock();
      }
      takeWaiting().forEach(Runnable::run);
    }
  }

  /** Ends the waiting of requests. */
  private void sendWhatWaits() {
    while (!answersAtOnce) {
      List<Runnable> next = takeWaiting();
      next.forEach(Runnable::run);
      mutex.lock();
      try {
        answersAtOnce = waiting.isEmpty();
      } finally {
        mutex.unlock();
      }
    }
  }

  private List<Runnable> takeWaiting() {
    mutex.lock();
    try {
      List<Runnable> taken = waiting;
      waiting = new ArrayList<>();
      return taken;
    } finally {
      mutex.unlock();
    }
  }

  private <T> Outcome<T> notYet() {
    RuntimeException why = reason;
    return why instanceof StoreRefusedException refused
        ? Outcome.refused(refused.problem(), String.valueOf(refused.getMessage()))
        : Outcome.unknown(why);
  }

  @Override
  public StoreTraits traits() {
    Store open = store;
    return open == null ? UNKNOWN_TRAITS : open.traits();
  }

  @Override
  public String describe() {
    Store open = store;
    return open == null ? factory.describe() : open.describe();
  }

  @Override
  public Optional<Quarantine> quarantine() {
    Store open = store;
    return open == null ? Optional.empty() : open.quarantine();
  }

  @Override
  public CompletionStage<Outcome<WithdrawAnswer>> withdraw(ResourceId resource, long claim) {
    return inTurn(
        open -> open.withdraw(resource, claim), () -> Outcome.answered(WithdrawAnswer.LEFT));
  }
}
