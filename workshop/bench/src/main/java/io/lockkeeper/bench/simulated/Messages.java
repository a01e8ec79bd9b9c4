package io.lockkeeper.bench.simulated;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** How many messages all clients and their server have sent. */
final class Messages {

  private final SortedMap<String, Long> requests = new TreeMap<>();
  private long replies;
  private long pushes;

  /** Counts a request of a kind. */
  void addRequest(String kind) {
    requests.merge(kind, 1L, Long::sum);
  }

  void addReply() {
    replies++;
  }

  void addPush() {
    pushes++;
  }

  /** Returns how many requests there were of each kind. */
  SortedMap<String, Long> requests() {
    return Collections.unmodifiableSortedMap(requests);
  }

  long pushes() {
    return pushes;
  }

  long all() {
    return requests.values().stream().mapToLong(Long::longValue).sum() + replies + pushes;
  }
}
