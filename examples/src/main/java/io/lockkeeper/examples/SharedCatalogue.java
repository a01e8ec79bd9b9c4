package io.lockkeeper.examples;

import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.Lockkeeper;

/**
 * Reads a catalogue that many read and few change, and fills it if it is empty: a writer that goes
 * on as a reader, so that nobody can change what it has just written before it has read it.
 */
public final class SharedCatalogue {

  private static final String DEFAULT_URL = "memory:shared-catalogue";

  private SharedCatalogue() {}

  /** A catalogue: guarded by a lock, so it needs none of its own. */
  static final class Catalogue {

    private String price = "";
    private int changes;

    int changes() {
      return changes;
    }
  }

  /**
   * Runs it.
   *
   * @param args the store's URL; by default the memory of this process
   */
  public static void main(String[] args) {
    String url = args.length == 0 ? DEFAULT_URL : args[0];
    System.out.println("the price is " + run(url, new Catalogue()));
  }

  static String run(String url, Catalogue catalogue) {
    try (Lockkeeper keeper = Lockkeeper.connect(url)) {
      DistributedReadWriteLock lock = keeper.readWriteLock("catalogue");
      String price = read(lock, catalogue);
      return price.isEmpty() ? fillAndRead(lock, catalogue) : price;
    }
  }

  private static String read(DistributedReadWriteLock lock, Catalogue catalogue) {
    lock.readLock().lock();
    try {
      return catalogue.price;
    } finally {
      lock.readLock().unlock(); // a reader cannot become a writer without letting go
    }
  }

  private static String fillAndRead(DistributedReadWriteLock lock, Catalogue catalogue) {
    boolean writing = true;
    lock.writeLock().lock();
    try {
      if (catalogue.price.isEmpty()) { // another may have been faster
        catalogue.price = "12.50";
        catalogue.changes++;
      }
      lock.readLock().lock();
      try {
        lock.writeLock().unlock(); // lets other readers in, keeps writers out
        writing = false;
        return catalogue.price;
      } finally {
        lock.readLock().unlock();
      }
    } finally {
      if (writing) {
        lock.writeLock().unlock();
      }
    }
  }
}
