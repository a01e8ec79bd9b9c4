package io.lockkeeper.bench.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** What a worker answers. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
@JsonSubTypes({
  @JsonSubTypes.Type(Reply.Failed.class),
  @JsonSubTypes.Type(Reply.Done.class),
  @JsonSubTypes.Type(Reply.Connected.class),
  @JsonSubTypes.Type(Reply.Contested.class),
  @JsonSubTypes.Type(Reply.HandedOver.class),
  @JsonSubTypes.Type(Reply.Crowded.class),
  @JsonSubTypes.Type(Reply.Drained.class),
  @JsonSubTypes.Type(Reply.Served.class),
  @JsonSubTypes.Type(Reply.Idled.class)
})
public sealed interface Reply {

  /** The command failed as a whole. */
  record Failed(String problem) implements Reply {}

  /** It is done, and there is nothing to tell. */
  record Done() implements Reply {}

  /**
   * The client is open.
   *
   * @param nanoTime the worker's {@link System#nanoTime()}, to see that both clocks are the same
   */
  record Connected(long nanoTime) implements Reply {}

  /**
   * A contest is over.
   *
   * @param countedPerThread each thread's acquisitions inside the window
   * @param total all acquisitions, with those that were under way when the window ended
   * @param histogram the measured times in nanoseconds, see {@link Histograms}
   * @param overlaps how often a thread found more threads of this process inside than may be
   * @param problems what went wrong, each kind once
   */
  record Contested(
      List<Long> countedPerThread,
      long total,
      String histogram,
      long overlaps,
      List<String> problems)
      implements Reply {}

  /**
   * The lock went to and fro.
   *
   * @param histogram nanoseconds from the call of unlock until the other client held the lock
   */
  record HandedOver(String histogram) implements Reply {}

  /**
   * The crowd waits.
   *
   * @param heapBytes by how much the used heap grew, after garbage collection
   * @param clientThreads live threads beyond the waiting ones and those of a JVM without a client
   * @param waiting how many threads do wait
   */
  record Crowded(long heapBytes, int clientThreads, int waiting) implements Reply {}

  /**
   * The crowd is gone.
   *
   * @param millis how long it took
   * @param served how many threads had the lock in that time
   * @param problems what went wrong, each kind once
   */
  record Drained(long millis, int served, List<String> problems) implements Reply {}

  /**
   * A turn of services is over.
   *
   * @param countedPerClient acquisitions inside the window of each client that is measured
   * @param acquisitions those of all clients
   * @param histogram the waits of the clients that are measured, see {@link Histograms}
   * @param heldNanos how long locks were held inside the window, all together
   * @param expense what the window cost the process
   * @param overlaps how often a thread found another one of this process inside
   * @param problems what went wrong, each kind once
   */
  record Served(
      List<Long> countedPerClient,
      long acquisitions,
      String histogram,
      long heldNanos,
      Expense expense,
      long overlaps,
      List<String> problems)
      implements Reply {}

  /**
   * Some clients were idle for a while.
   *
   * @param threads live threads of the process
   * @param heapBytes used heap, after garbage collection
   * @param expense what the while cost the process
   */
  record Idled(int threads, long heapBytes, Expense expense) implements Reply {}
}
