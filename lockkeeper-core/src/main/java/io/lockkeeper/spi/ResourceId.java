package io.lockkeeper.spi;

/**
 * Names a resource at a store. A lock and a semaphore of one name are two resources.
 *
 * @param kind what it is
 * @param name the name that the user chose
 */
public record ResourceId(ResourceKind kind, String name) {

  /** Returns what it is and its name, for messages. */
  @Override
  public String toString() {
    return kind + " " + name;
  }
}
