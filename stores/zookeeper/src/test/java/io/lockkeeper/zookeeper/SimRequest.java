package io.lockkeeper.zookeeper;

import java.util.List;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * A request under simulation.
 *
 * @param path the node that it is about
 * @param ops what it changes; null for a read
 * @param watcher is called at the next change of the node
 * @param watchesAbsence whether it watches a node that is not there too
 * @param watchesBelow whether it watches for good all that is below the node
 * @param reading what it reads
 * @param written hears what came of its changes
 * @param failed hears that it failed
 */
record SimRequest(
    String path,
    @Nullable List<Op> ops,
    @Nullable Watcher watcher,
    boolean watchesAbsence,
    boolean watchesBelow,
    Reading reading,
    Consumer<SimTree.Outcome> written,
    Consumer<Code> failed) {

  /** Reads from a server, and returns what is to be done with that at the client. */
  @FunctionalInterface
  interface Reading {
    Runnable read(SimTree tree) throws KeeperException;
  }

  static SimRequest write(List<Op> ops, Consumer<SimTree.Outcome> written, Consumer<Code> failed) {
    return new SimRequest(
        ops.get(0).getPath(), ops, null, false, false, tree -> () -> {}, written, failed);
  }

  static SimRequest read(
      String path,
      @Nullable Watcher watcher,
      boolean watchesAbsence,
      Reading reading,
      Consumer<Code> failed) {
    return new SimRequest(
        path, null, watcher, watchesAbsence, false, reading, outcome -> {}, failed);
  }

  static SimRequest watch(String path, Runnable watching, Consumer<Code> failed) {
    return new SimRequest(path, null, null, false, true, tree -> watching, outcome -> {}, failed);
  }

  boolean isWrite() {
    return ops != null;
  }

  /** Returns what the client does with the answer of this server. */
  Runnable read(SimTree tree) {
    try {
      return reading.read(tree);
    } catch (KeeperException refused) {
      return () -> failed.accept(refused.code());
    }
  }

  static Runnable answer(SimRequest request, SimTree.Outcome outcome) {
    return () -> request.written().accept(outcome);
  }

  @Override
  public String toString() {
    if (ops == null) {
      return "read " + path;
    }
    StringBuilder text = new StringBuilder();
    for (Op op : ops) {
      text.append(' ').append(op.getKind()).append(op.getType()).append(' ').append(op.getPath());
    }
    return text.toString().trim();
  }
}
