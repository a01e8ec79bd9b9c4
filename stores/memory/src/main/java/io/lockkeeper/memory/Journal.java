package io.lockkeeper.memory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Numbers the arrivals and tells of the grants, in the order in which they are made. */
final class Journal {

  private final List<Consumer<? super GrantRecord>> readers = new CopyOnWriteArrayList<>();
  private long arrivals;

  long nextArrival() {
    return ++arrivals;
  }

  void write(GrantRecord line) {
    readers.forEach(reader -> reader.accept(line));
  }

  void addReader(Consumer<? super GrantRecord> reader) {
    readers.add(reader);
  }
}
