package io.lockkeeper.spi.record;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of one record, to be made if the record has a version.
 *
 * @param key the key of the record
 * @param expected the version of the reading that the change was decided on, or {@link
 *     #ANY_ABSENCE}
 * @param head the head from now on; null if the record is deleted, with its entries
 * @param removed the names of entries to remove, of which some may not be there; before others are
 *     put
 * @param put entries to put, in order
 * @param messages the messages to send when it has been made
 * @param isBound whether the head is removed when the client that made the change is gone, at a
 *     store that has {@linkplain RecordStore#hasSessions sessions}
 * @param otherwise what to show of the record if it has another version; null for nothing
 * @param demanded the key of another record that must be there, at a store that {@linkplain
 *     RecordStore#provesAbsence proves absence}; null for none
 */
public record Change(
    String key,
    long expected,
    @Nullable String head,
    List<String> removed,
    List<Entry> put,
    List<Message> messages,
    boolean isBound,
    @Nullable ReadRequest otherwise,
    @Nullable String demanded) {

  /**
   * Expected by a change that makes a record whenever there is none, at a store that {@linkplain
   * RecordStore#makesOnAnyAbsence can}. It means the version just before the one that the change
   * gives, also in the texts of the record.
   */
  public static final long ANY_ABSENCE = 0;

  /** Copies the lists. */
  public Change {
    removed = List.copyOf(removed);
    put = List.copyOf(put);
    messages = List.copyOf(messages);
  }

  /** Creates a change that stays. */
  public Change(
      String key,
      long expected,
      @Nullable String head,
      List<String> removed,
      List<Entry> put,
      List<Message> messages) {
    this(key, expected, head, removed, put, messages, false, null, null);
  }

  /** Returns the same change, which shows what is asked for if it is in conflict. */
  public Change orElse(ReadRequest request) {
    return new Change(key, expected, head, removed, put, messages, isBound, request, demanded);
  }

  /** Returns the same change, made only while another record is there; null for no such. */
  public Change demanding(@Nullable String record) {
    return new Change(key, expected, head, removed, put, messages, isBound, otherwise, record);
  }

  /** Returns whether it makes a record and does nothing else. */
  boolean isCreation() {
    return head != null && removed.isEmpty() && put.isEmpty() && messages.isEmpty();
  }

  Change withHead(String newHead) {
    return new Change(key, expected, newHead, removed, put, messages, isBound, otherwise, demanded);
  }
}
