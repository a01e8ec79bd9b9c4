package io.lockkeeper.spi.record;

/**
 * A request to read a record, or as much of it as is needed. A store may always answer all.
 *
 * @param key the key of the record
 * @param first how many entries to read from the first on, at least
 * @param own the beginning of the names of further entries to read, wherever they stand
 */
public record ReadRequest(String key, int first, String own) {

  /** Stands for as many entries as there are. */
  public static final int ALL = Integer.MAX_VALUE;

  /** Creates a request for all of a record. */
  public static ReadRequest all(String key) {
    return new ReadRequest(key, ALL, "");
  }
}
