package io.lockkeeper.lab.oversell.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.lockkeeper.lab.oversell.strategy.Grant;
import java.util.List;
import java.util.Map;

/** What a worker tells the coordinator: one JSON object per line on its standard output. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "says")
@JsonSubTypes({
  @JsonSubTypes.Type(value = FromWorker.Opened.class, name = "opened"),
  @JsonSubTypes.Type(value = FromWorker.Prepared.class, name = "prepared"),
  @JsonSubTypes.Type(value = FromWorker.Progress.class, name = "progress"),
  @JsonSubTypes.Type(value = FromWorker.Finished.class, name = "finished"),
  @JsonSubTypes.Type(value = FromWorker.Failed.class, name = "failed")
})
public sealed interface FromWorker {

  /** Connected. */
  record Opened() implements FromWorker {}

  /** All threads stand at the start. */
  record Prepared() implements FromWorker {}

  /** How many orders are done so far. */
  record Progress(long orders) implements FromWorker {}

  /**
   * The round is over.
   *
   * @param elapsedNanos from the start to the end of the last thread
   * @param orders orders that went through the critical section, sold or sold out
   * @param soldOut those that found no stock
   * @param failed orders that failed with an exception
   * @param failure the first such exception, or an empty text
   * @param givenUp how many orders the strategy gave up, by reason
   * @param waits the waits before the critical section, an encoded histogram of nanoseconds
   * @param grants the admissions, if the strategy keeps the order of arrival
   */
  record Finished(
      long elapsedNanos,
      long orders,
      long soldOut,
      long failed,
      String failure,
      Map<String, Long> givenUp,
      String waits,
      List<Grant> grants)
      implements FromWorker {}

  /** The worker cannot go on, and ends. */
  record Failed(String reason) implements FromWorker {}
}
