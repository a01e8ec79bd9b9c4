package io.lockkeeper.spi.support;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ResourceId;
import java.util.List;

/**
 * A resource's id as stores keep it: a word for its rule and a name that nothing else of that rule
 * has. It is a part of each stored format.
 *
 * <p>An election is kept as a lock whose name ends with a mark that no name of a user can have.
 *
 * @param word the word; empty for a lock and for an election
 * @param name the name
 */
public record StoredId(String word, String name) {

  /** The words that there are. */
  public static final List<String> WORDS = List.of("", "rw", "sem", "bar");

  private static final String ELECTION_MARK = "\u001eleader";
  private static final char SEPARATOR = '\u001f';

  /** Returns the form in which a resource's id is kept. */
  public static StoredId of(ResourceId id) {
    return id.kind() == ResourceKind.LEADER_ELECTION
        ? new StoredId("", id.name() + ELECTION_MARK)
        : new StoredId(word(id.kind()), id.name());
  }

  /** Returns a short word for the rule of a kind, for keys; empty for that of locks. */
  public static String word(ResourceKind kind) {
    return switch (kind) {
      case LOCK, LEADER_ELECTION -> "";
      case READ_WRITE_LOCK -> "rw";
      case SEMAPHORE -> "sem";
      case BARRIER -> "bar";
    };
  }

  /**
   * Returns the resource's id.
   *
   * @throws IllegalArgumentException if the word is unknown
   */
  public ResourceId id() {
    return switch (word) {
      case "" ->
          name.endsWith(ELECTION_MARK)
              ? new ResourceId(
                  ResourceKind.LEADER_ELECTION,
                  name.substring(0, name.length() - ELECTION_MARK.length()))
              : ResourceId.lock(name);
      case "rw" -> new ResourceId(ResourceKind.READ_WRITE_LOCK, name);
      case "sem" -> new ResourceId(ResourceKind.SEMAPHORE, name);
      case "bar" -> new ResourceId(ResourceKind.BARRIER, name);
      default -> throw new IllegalArgumentException("not a kind of resource: " + word);
    };
  }

  /** Returns name and word as one text, for a place that has room for one only. */
  public String text() {
    return word.isEmpty() ? name : name + SEPARATOR + word;
  }

  /**
   * Reads a {@linkplain #text text}.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static StoredId parse(String text) {
    int at = text.lastIndexOf(SEPARATOR);
    return at < 0
        ? new StoredId("", text)
        : new StoredId(text.substring(at + 1), text.substring(0, at));
  }
}
