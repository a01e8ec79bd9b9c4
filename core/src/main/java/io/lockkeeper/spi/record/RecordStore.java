package io.lockkeeper.spi.record;

import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreTraits;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * One client's way to a store that keeps records and changes one of them at a time, on a condition.
 *
 * <p>A record has a key, a version, a head and entries. Keys are ASCII: letters, digits and {@code
 * / % + * - _ .}; a key may have 2,000 characters. Head, entries and messages are text that means
 * nothing to the store. A store keeps what it is given, and never looks into it.
 *
 * <h2>The contract</h2>
 *
 * <ol>
 *   <li><b>One moment.</b> A {@link Reading} is of one moment: its version, head and entries were
 *       there together. A store that has to ask twice checks that nothing changed in between, and
 *       asks again or answers {@link Outcome.Unknown}.
 *   <li><b>Versions never come again.</b> Each commit gives a record a version that is larger than
 *       all that its key has had, also after the record was deleted and made anew. Where there is
 *       no record, there is a version too: at least that of the deletion, and less than that of a
 *       record that is made later. All are larger than 0.
 *   <li><b>All or nothing.</b> A {@link Change} is made if the record has the expected version, and
 *       then completely and in one step; otherwise it is a {@link CommitAnswer.Conflict} and
 *       nothing is changed. A change that leaves all as it was is made too, also the deletion of
 *       what is not there. A conflict may be answered without need, but not always to a client that
 *       has just read the record.
 *   <li><b>Unknown means later.</b> After {@link Outcome.Unknown} a change may have been made, may
 *       never be, or may be made at any later time, while the record has the expected version.
 *   <li><b>Reads are current.</b> A reading shows every change whose commit was answered before the
 *       reading was asked for, by whichever client. So does a conflict that shows one.
 *   <li><b>Order.</b> Entries are in the order in which they were first put; those that one change
 *       puts first may be in any order. An entry that is put again keeps its place; one that was
 *       removed and is put again has a new one. Where a store knows the places of its client's
 *       entries, the answer to a change has those that readings show.
 *   <li><b>Messages are notifications.</b> A message is sent when its change has been made. It may
 *       be lost, come twice, late, or in another order. Messages of changes that were not made are
 *       not sent.
 *   <li><b>Who appends is seen by who commits.</b> Where entries are {@linkplain #append appended},
 *       they come into the record that is there, together with their messages, or not at all. They
 *       change neither its head nor its version, stand behind all entries that were there before,
 *       and in their order. A {@link CommitAnswer.Committed} counts them, also those that its
 *       client has not seen; a record is not deleted with entries that its client has not seen.
 *   <li><b>A client without a session changes nothing.</b> Where a store {@linkplain #provesAbsence
 *       proves absence}, what {@linkplain Change#demanded demands} another record is carried out
 *       only while that is there, in the same step. If it is not, or if its client put it in a
 *       session that has ended, nothing is changed, and the answer is {@link CommitAnswer.Absent};
 *       for what is appended, it is as if there were no record. A client that puts a bound record
 *       again replaces it: others never see that it is not there.
 *   <li><b>Nothing blocks or throws.</b> Each request is answered: with {@link Outcome.Unknown}
 *       when the store has not answered in its time. Answers and messages may come on any thread,
 *       the calling one included. Requests of one list are independent of each other, and answered
 *       in their order; a store that can sends them as one.
 * </ol>
 *
 * <p>{@code RecordStoreContract} in the test kit has tests for these lines, within one process and
 * with a store that answers: test several processes and a silent store too.
 */
public interface RecordStore extends AutoCloseable {

  /** Receives what a store reports by itself. Returns quickly and never blocks. */
  interface Listener {

    /** Called with a {@linkplain Message message} for this client. */
    void message(String text);

    /**
     * Called after a change of a record that was read {@linkplain ReadRequest#isWatched watched}.
     */
    default void changed(String key) {}

    /**
     * Called when the connection was interrupted and is back: messages may have been missed, and
     * what was bound to this client may be gone.
     */
    void reconnected();
  }

  /** Returns the properties of this kind of store. */
  StoreTraits traits();

  /** Returns the store's address for error messages, without any secret. */
  String describe();

  /** Returns the clock by which leases run, always the same. */
  RecordClock clock();

  /**
   * Returns whether the store notices by itself that a client is gone, and removes what is
   * {@linkplain Entry#isBound bound} to it. Otherwise the client says again and again, by changes,
   * that it still waits.
   */
  default boolean hasSessions() {
    return false;
  }

  /** Sets the listener. Called once, before any other request. */
  void listen(Listener listener);

  /** Reads records. Changes nothing. */
  CompletionStage<List<Outcome<Reading>>> read(List<ReadRequest> requests);

  /**
   * Changes records, each by itself and on its condition, and sends the messages of the changes.
   */
  CompletionStage<List<Outcome<CommitAnswer>>> commit(List<Change> changes);

  /**
   * Returns the keys of the records that begin with {@code prefix}, in any order. The list need not
   * be of one moment, but contains each record that was there all the time.
   */
  CompletionStage<Outcome<List<String>>> list(String prefix);

  /**
   * Returns for how many milliseconds from now the store keeps at least what is bound to the
   * client, also if it hears nothing more of it. A client that may hold something for longer leaves
   * its name for good. It becomes less while the client is silent.
   */
  default long sessionMillis() {
    return Long.MAX_VALUE;
  }

  /**
   * Returns whether the absence of a bound record proves that the client's session has ended, or
   * that the client has removed the record, and that it has changed nothing since then that demands
   * the record. Other clients then end what it held.
   */
  default boolean provesAbsence() {
    return false;
  }

  /**
   * Returns whether this store makes changes that expect {@link Change#ANY_ABSENCE}: if there is no
   * record, whatever there was before. After {@link Outcome.Unknown} such a change may be made at
   * any later time while there is no record, until another change that the client sends after that
   * has been answered.
   */
  default boolean makesOnAnyAbsence() {
    return false;
  }

  /**
   * Returns whether this store appends bound entries, so that clients which come together do not
   * contend for the record's version.
   */
  default boolean appends() {
    return false;
  }

  /**
   * Puts entries at the end of a record, and reads it after that. If there is no record, nothing is
   * put, and the answer is {@link Reading#absent} with the version {@link Change#ANY_ABSENCE}.
   * After {@link Outcome.Unknown} they may come at any later time, until another request of this
   * client about the record has been answered. A reading in that answer has them if they have come,
   * or else the client would put them twice.
   */
  default CompletionStage<Outcome<Reading>> append(Appending appending) {
    throw new UnsupportedOperationException(describe() + " does not append");
  }

  /**
   * Returns whether requests of this client are carried out in the order in which they are sent,
   * and none any more when a later one has been answered.
   */
  default boolean isOrdered() {
    return false;
  }

  /**
   * Returns whether this store notifies of changes. A client that has read a record {@linkplain
   * ReadRequest#isWatched watched} is notified once of the next change, perhaps of its own or
   * without need, but not of appended entries; after that it reads again.
   */
  default boolean watches() {
    return false;
  }

  /**
   * Frees connections and threads. No request follows; those that are open are answered, with
   * {@link Outcome.Unknown} if need be, and the listener is not called any more.
   */
  @Override
  void close();
}
