package io.lockkeeper.engine.view;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedBarrier;
import io.lockkeeper.engine.coordination.Promise;
import io.lockkeeper.engine.coordination.Requests;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.spi.Share;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** Shows users a barrier: a name and a number, without state of its own. */
final class BarrierView implements DistributedBarrier {

  private final Requests requests;
  private final Share share;

  BarrierView(Requests requests, int parties) {
    this.requests = requests;
    this.share = new Share(1, parties, false);
  }

  @Override
  public String name() {
    return requests.name();
  }

  @Override
  public int parties() {
    return share.limit();
  }

  @Override
  public void await() throws InterruptedException {
    await(requests.patient(share));
  }

  @Override
  public void await(Duration wait) throws InterruptedException {
    await(requests.as(AcquireOptions.defaults().withWait(wait), share).orThrow());
  }

  private void await(Requests.Asked asked) throws InterruptedException {
    Requests.throwIfInterrupted();
    requests.awaitInterruptibly(asked);
  }

  @Override
  public CompletionStage<Void> awaitAsync() {
    return async(AcquireOptions.defaults());
  }

  @Override
  public CompletionStage<Void> awaitAsync(Duration wait) {
    return async(AcquireOptions.defaults().withWait(Objects.requireNonNull(wait, "wait")));
  }

  private CompletionStage<Void> async(AcquireOptions options) {
    return requests.acquireAsync(requests.as(options, share), Promise.ofNews());
  }

  @Override
  public int waiting() {
    ClientRuntime runtime = requests.resources().runtime();
    runtime.checkOpen(name());
    return StoreCalls.ask(runtime, name(), () -> runtime.store().inspect(requests.resource()))
        .waiting();
  }

  @Override
  public String toString() {
    return "barrier['" + name() + "' at " + requests.resources().runtime().store().describe() + "]";
  }
}
