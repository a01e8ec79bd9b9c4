package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * One operation of a {@link ScriptedStore}: its calls wait for the test to reply, unless it has
 * been told how to reply by itself.
 */
public final class Script<Q, R> {

  /** One call, and the means to reply to it. */
  public static final class Call<Q, R> {

    public final Q request;
    private final CompletableFuture<R> reply;

    Call(Q request, CompletableFuture<R> reply) {
      this.request = request;
      this.reply = reply;
    }

    /** Replies; nothing happens if that has been done before. */
    public void reply(R answer) {
      reply.complete(answer);
    }
  }

  private final String name;
  private final LinkedBlockingQueue<Call<Q, R>> calls = new LinkedBlockingQueue<>();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile Function<Q, R> automatic;

  public Script(String name) {
    this.name = name;
  }

  /**
   * Replies to every call from now on, and to those that wait. Where the reply to a new call is
   * null, that call gives not even an answer to come.
   */
  public void always(Function<Q, R> reply) {
    automatic = reply;
    for (Call<Q, R> call = calls.poll(); call != null; call = calls.poll()) {
      call.reply(reply.apply(call.request));
    }
  }

  /** Leaves every call from now on to the test. */
  public void manual() {
    automatic = null;
  }

  public CompletableFuture<R> ask(Q request) {
    asked.incrementAndGet();
    Function<Q, R> known = automatic;
    if (known != null) {
      R answer = known.apply(request);
      return answer == null ? null : CompletableFuture.completedFuture(answer);
    }
    CompletableFuture<R> reply = new CompletableFuture<>();
    calls.add(new Call<>(request, reply));
    return reply;
  }

  /** Returns the next call without a reply; waits for it if it comes from another thread. */
  public Call<Q, R> next() {
    try {
      Call<Q, R> call = calls.poll(Deadlines.GENEROUS.toMillis(), TimeUnit.MILLISECONDS);
      assertThat(call).as("a call of %s", name).isNotNull();
      return call;
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting for a call of " + name, e);
    }
  }

  /** Returns how many calls wait for a reply. */
  public int waiting() {
    return calls.size();
  }

  /** Returns how many calls there have been in all. */
  public int count() {
    return asked.get();
  }
}
