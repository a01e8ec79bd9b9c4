package io.lockkeeper.spi.record;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entries that come into a record behind all others, whatever its version is.
 *
 * @param key the key of the record
 * @param put the entries, which are bound and were not there before, in order
 * @param messages the messages to send when they are there
 * @param shown what to show of the record then
 * @param demanded the key of another record that must be there; null for none
 */
public record Appending(
    String key,
    List<Entry> put,
    List<Message> messages,
    ReadRequest shown,
    @Nullable String demanded) {

  /** Copies the lists. */
  public Appending {
    put = List.copyOf(put);
    messages = List.copyOf(messages);
  }

  /** Creates one that demands nothing. */
  public Appending(String key, List<Entry> put, List<Message> messages, ReadRequest shown) {
    this(key, put, messages, shown, null);
  }
}
