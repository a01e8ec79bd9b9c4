package io.lockkeeper.spi.record;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A record, or that there is none, as it was at one moment.
 *
 * @param version its version; if there is none, at least that of its deletion
 * @param head its head; null if there is no record
 * @param entries its entries, in order
 * @param leading how many of them are the first ones of the record, without a gap
 * @param isComplete whether these are all of its entries
 * @param moment where versions are those of the whole store, the largest that there was when this
 *     was read, by which readings of different records compare; otherwise its version
 */
public record Reading(
    long version,
    @Nullable String head,
    List<Entry> entries,
    int leading,
    boolean isComplete,
    long moment) {

  /** Copies the list. */
  public Reading {
    entries = List.copyOf(entries);
  }

  /** Returns that there is no record. */
  public static Reading absent(long version) {
    return new Reading(version, null, List.of(), 0, true, version);
  }

  /** Returns all of a record. */
  public static Reading of(long version, String head, List<Entry> entries) {
    return new Reading(version, head, entries, entries.size(), true, version);
  }

  /**
   * Returns the first entries of a record and some from further behind.
   *
   * @param first the first, without a gap
   * @param own those that were asked for by name; the first may be among them
   */
  public static Reading page(long version, String head, List<Entry> first, List<Entry> own) {
    List<Entry> all = new ArrayList<>(first);
    own.stream().filter(entry -> !first.contains(entry)).forEach(all::add);
    return new Reading(version, head, all, first.size(), false, version);
  }

  /** Returns the same, read at a moment. */
  public Reading at(long newMoment) {
    return new Reading(version, head, entries, leading, isComplete, newMoment);
  }

  /**
   * Returns what is there after a change of this. Of a page it is a page: what was put is in it,
   * and stands behind all that was not read.
   */
  public Reading after(Change change, long newVersion) {
    return after(change, newVersion, List.of());
  }

  /**
   * Returns what is there after a change of this.
   *
   * @param placed those of the entries whose places are known
   */
  Reading after(Change change, long newVersion, List<Entry> placed) {
    String newHead = change.head();
    if (newHead == null) {
      return absent(newVersion);
    }
    Map<String, Entry> kept = new LinkedHashMap<>();
    entries.forEach(entry -> kept.put(entry.name(), entry));
    change.removed().forEach(kept::remove);
    change.put().forEach(entry -> kept.put(entry.name(), entry));
    placed.forEach(entry -> kept.put(entry.name(), entry));
    List<Entry> all = List.copyOf(kept.values());
    if (isComplete) {
      return of(newVersion, newHead, all);
    }
    Set<String> gone = Set.copyOf(change.removed());
    long first =
        entries.stream().limit(leading).filter(entry -> !gone.contains(entry.name())).count();
    return new Reading(newVersion, newHead, all, (int) first, false, newVersion);
  }

  boolean has(Entry entry) {
    return entries.stream().anyMatch(each -> each.name().equals(entry.name()));
  }

  /** Returns the same, of which it is known that there is more. */
  Reading incomplete() {
    return new Reading(version, head, entries, leading, false, moment);
  }

  Reading withHead(String newHead) {
    return new Reading(version, newHead, entries, leading, isComplete, moment);
  }
}
