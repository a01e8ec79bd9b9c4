package io.lockkeeper.bench.report;

import io.lockkeeper.bench.locks.Sort;
import io.lockkeeper.bench.results.ContestResult.Kind;
import java.util.Locale;

/** The parts of the page on what is not an exclusive lock: one contest, one plot and one table. */
enum Synchronizers {
  READ_TOGETHER(
      Kind.READ_TOGETHER,
      "A read lock for all readers",
      "acquisitions/s",
      "Threads of all JVMs read together; nobody writes.\n\n"),
  READ_OWN_NAMES(Kind.READ_OWN_NAMES, "A read lock for each thread of one JVM", Texts.PAIRS, ""),
  WRITE(Kind.WRITE, "A write lock", "acquisitions/s", ""),
  SEMAPHORE(
      Kind.SEMAPHORE,
      "A semaphore of " + Sort.PERMITS,
      "acquisitions/s",
      """
      One permit at a time. Lockkeeper's permits are leases, renewed while they are held. Those of
      Redisson's semaphore are lost with their process; its expirable ones are not.

      """),
  COUNTER(Kind.COUNTER, "A counter", "increments/s", "The wait is the time of one increment.\n\n"),
  LATCH(
      Kind.LATCH,
      "A latch for each thread",
      "latches/s",
      """
      Each thread sets its latch to one, counts it down and waits for it. An open latch of
      Lockkeeper's stays open until it is removed, so that is measured with it; Redisson's removes
      itself. The wait is the time of all of that.

      """),
  MULTI_LOCK(
      Kind.MULTI_LOCK,
      "A multi-lock of " + Sort.MEMBERS,
      "acquisitions/s",
      "All threads want the same locks of one server together.\n\n"),
  FLEET_LOCK(
      Kind.FLEET_LOCK,
      "A fleet: one lock for 20 clients of one thread",
      "acquisitions/s",
      """
      No thread shares a client with another one, so that nothing is handed on inside a process, and
      each acquisition is paid for at the server.

      """),
  FLEET_LOCKS(
      Kind.FLEET_LOCKS,
      "A fleet: 1,000 locks for 20 clients of two threads",
      Texts.PAIRS,
      Texts.DRAWN),
  FLEET_WRITE_LOCKS(
      Kind.FLEET_WRITE_LOCKS,
      "A fleet: 1,000 write locks for 20 clients of one thread",
      Texts.PAIRS,
      Texts.DRAWN),
  FLEET_READ_LOCKS(
      Kind.FLEET_READ_LOCKS,
      "A fleet: 1,000 read locks for 20 clients of one thread",
      Texts.PAIRS,
      Texts.DRAWN),
  FLEET_SEMAPHORES(
      Kind.FLEET_SEMAPHORES,
      "A fleet: 1,000 semaphores for 20 clients of one thread",
      Texts.PAIRS,
      Texts.DRAWN),
  FLEET_WRITE(
      Kind.FLEET_WRITE,
      "A fleet: one write lock for 8 clients of two threads",
      "acquisitions/s",
      ""),
  FLEET_SEMAPHORE(
      Kind.FLEET_SEMAPHORE,
      "A fleet: one semaphore of " + Sort.PERMITS + " for 8 clients of two threads",
      "acquisitions/s",
      ""),
  FLEET_LOCK_FAR(
      Kind.FLEET_LOCK_FAR,
      "A fleet far away: one lock for 20 clients of one thread",
      "acquisitions/s",
      Texts.FAR),
  FLEET_LOCKS_FAR(
      Kind.FLEET_LOCKS_FAR,
      "A fleet far away: 1,000 locks for 20 clients of two threads",
      Texts.PAIRS,
      Texts.FAR + Texts.DRAWN);

  private final Kind kind;
  private final String title;
  private final String rate;
  private final String text;

  Synchronizers(Kind kind, String title, String rate, String text) {
    this.kind = kind;
    this.title = title;
    this.rate = rate;
    this.text = text;
  }

  Kind kind() {
    return kind;
  }

  /** Returns whether times are those of whole pairs of lock and unlock. */
  boolean isPairs() {
    return rate.equals(Texts.PAIRS);
  }

  String title() {
    return title;
  }

  /** Returns what the rates count. */
  String rate() {
    return rate;
  }

  /** Returns what is to be said before the table. */
  String text() {
    return text;
  }

  /** Returns the name of the plot's file. */
  String plot() {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".svg";
  }

  String plotTitle() {
    return title + ": " + rate;
  }

  private static final class Texts {
    static final String PAIRS = "lock and unlock pairs/s";
    static final String FAR =
        """
        A proxy between clients and server lets every byte arrive later, in both directions; by how
        much the setting says.

        """;
    static final String DRAWN = "Each time a thread draws another one.\n\n";
  }
}
