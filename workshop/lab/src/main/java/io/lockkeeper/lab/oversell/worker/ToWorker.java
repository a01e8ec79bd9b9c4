package io.lockkeeper.lab.oversell.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What the coordinator tells a worker: one JSON object per line on its standard input. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "do")
@JsonSubTypes({
  @JsonSubTypes.Type(value = ToWorker.Open.class, name = "open"),
  @JsonSubTypes.Type(value = ToWorker.Prepare.class, name = "prepare"),
  @JsonSubTypes.Type(value = ToWorker.Go.class, name = "go"),
  @JsonSubTypes.Type(value = ToWorker.Close.class, name = "close")
})
public sealed interface ToWorker {

  /**
   * Connect to the store. First message; answered by {@link FromWorker.Opened}.
   *
   * @param strategy the name of the strategy
   * @param storeUrl the store; may hold a password, which is why it comes this way and not as an
   *     argument that every user of the machine can read
   * @param worker the worker's number, from 1
   * @param seed for whatever is random in the worker
   */
  record Open(String strategy, String storeUrl, int worker, long seed) implements ToWorker {

    @Override
    public String toString() {
      return "Open[" + strategy + ", worker " + worker + "]";
    }
  }

  /**
   * Have the threads of a round ready. Answered by {@link FromWorker.Prepared} when all are.
   *
   * @param article the name of what is sold
   * @param threads how many threads order
   * @param orders how often each thread orders
   * @param warmUpMillis if positive, the round ends after this time however often a thread ordered
   */
  record Prepare(String article, int threads, int orders, long warmUpMillis) implements ToWorker {}

  /**
   * Let the threads run. Answered by {@link FromWorker.Progress} now and then and by {@link
   * FromWorker.Finished}.
   */
  record Go() implements ToWorker {}

  /** Close all connections and end. Not answered. */
  record Close() implements ToWorker {}
}
