package io.lockkeeper.spi;

/**
 * The kinds of resources, which determine the rule by which claims are admitted.
 *
 * <p>The protocol names a resource by an id: the name that the user chose and, unless it is a lock,
 * the kind behind a character that no name can have. So a lock and a semaphore of one name are two
 * resources.
 */
public enum ResourceKind {
  /** One holder at a time; claims of one client in a row are granted together. */
  LOCK(""),

  /** One writer, or any number of readers, as permits: see {@link Share}. */
  READ_WRITE("rw"),

  /** Claims are granted, in order, as long as permits last. */
  SEMAPHORE("sem"),

  /** Claims are granted together when as many live ones wait as {@link Share#limit()} says. */
  BARRIER("bar");

  private static final char SEPARATOR = '\u001f';

  private final String suffix;

  ResourceKind(String suffix) {
    this.suffix = suffix;
  }

  /** Returns a short word for keys; empty for a lock. */
  public String suffix() {
    return suffix;
  }

  /** Returns the id of the resource of this kind and name. */
  public String id(String name) {
    return suffix.isEmpty() ? name : name + SEPARATOR + suffix;
  }

  /** Returns the kind of the resource with this id. */
  public static ResourceKind of(String id) {
    int at = id.lastIndexOf(SEPARATOR);
    if (at < 0) {
      return LOCK;
    }
    String suffix = id.substring(at + 1);
    for (ResourceKind kind : values()) {
      if (kind.suffix.equals(suffix)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("not a resource id: " + id);
  }

  /** Returns the name of the resource with this id. */
  public static String nameOf(String id) {
    int at = id.lastIndexOf(SEPARATOR);
    return at < 0 ? id : id.substring(0, at);
  }
}
