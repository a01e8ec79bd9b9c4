package io.lockkeeper.zookeeper;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** The bound entries that this client has put in its present session, as far as it knows. */
final class OwnEntries {

  private final ReentrantLock mutex = new ReentrantLock();

  /** By key of the record, then by name of the node, in order. */
  private final Map<String, Map<String, BoundNode>> byKey = new HashMap<>();

  /** The records in which there may be more. */
  private final Set<String> doubtful = new HashSet<>();

  /** The records that are bound, with the sessions that they go with. */
  private final Map<String, Long> records = new HashMap<>();

  /** The sessions that have ended. */
  private final Set<Long> ended = new HashSet<>();

  void add(String key, BoundNode node) {
    mutex.lock();
    try {
      byKey.computeIfAbsent(key, none -> new LinkedHashMap<>()).put(node.name(), node);
    } finally {
      mutex.unlock();
    }
  }

  void remove(String key, Iterable<String> nodes) {
    mutex.lock();
    try {
      Map<String, BoundNode> own = byKey.get(key);
      if (own != null) {
        nodes.forEach(own::remove);
        if (own.isEmpty()) {
          byKey.remove(key);
        }
      }
    } finally {
      mutex.unlock();
    }
  }

  List<BoundNode> of(String key) {
    mutex.lock();
    try {
      return new ArrayList<>(byKey.getOrDefault(key, Map.of()).values());
    } finally {
      mutex.unlock();
    }
  }

  /** Records that entries may have been put, or may yet be. */
  void doubt(String key) {
    mutex.lock();
    try {
      doubtful.add(key);
    } finally {
      mutex.unlock();
    }
  }

  boolean isDoubtful(String key) {
    mutex.lock();
    try {
      return doubtful.contains(key);
    } finally {
      mutex.unlock();
    }
  }

  /**
   * Records all bound entries of a record; returns them with the places that are known, and without
   * those of sessions of this client that have ended.
   *
   * @param isCurrent whether nothing more comes that was sent before
   */
  List<BoundNode> listed(String key, List<BoundNode> all, long session, boolean isCurrent) {
    mutex.lock();
    try {
      if (isCurrent) {
        doubtful.remove(key);
      }
      Map<String, BoundNode> before = byKey.getOrDefault(key, Map.of());
      Map<String, BoundNode> own = new LinkedHashMap<>();
      List<BoundNode> found = new ArrayList<>();
      for (BoundNode node : all) {
        BoundNode placed = before.getOrDefault(node.name(), node);
        if (node.session() == session) {
          own.put(node.name(), placed);
        }
        if (!ended.contains(node.session())) {
          found.add(placed);
        }
      }
      if (own.isEmpty()) {
        byKey.remove(key);
      } else {
        byKey.put(key, own);
      }
      return found;
    } finally {
      mutex.unlock();
    }
  }

  /** Forgets everything: what was bound to a session ends with it. */
  void sessionLost(long session) {
    mutex.lock();
    try {
      ended.add(session);
      byKey.clear();
      doubtful.clear();
    } finally {
      mutex.unlock();
    }
  }

  /** Records that a record was written, and to which session it is bound; 0 if to none. */
  void wrote(String key, long session) {
    mutex.lock();
    try {
      if (session == 0) {
        records.remove(key);
      } else {
        records.put(key, session);
      }
    } finally {
      mutex.unlock();
    }
  }

  /** Returns whether a record that this client has written goes with another session than this. */
  boolean isOfAnother(String key, long session) {
    mutex.lock();
    try {
      return records.getOrDefault(key, session) != session;
    } finally {
      mutex.unlock();
    }
  }
}
