package io.lockkeeper.lab.scene;

import io.lockkeeper.lab.oversell.Books;
import io.lockkeeper.lab.scene.Marks.Mark;
import java.util.ArrayList;
import java.util.List;

/**
 * What came of a fault.
 *
 * @param strategy what it happened to
 * @param expectedToBreak whether that was to break
 * @param what what broke besides the stock, or nothing
 * @param oversold pieces that were sold and that the stock does not know of
 * @param books what the store says
 * @param marks where the orders were, and when
 */
record HalfResult(
    String strategy,
    boolean expectedToBreak,
    String what,
    long oversold,
    Books books,
    List<Mark> marks) {

  /** Returns whether it did what the scene says. */
  boolean isAsExpected() {
    return expectedToBreak == isBroken();
  }

  boolean isBroken() {
    return oversold != 0 || !what.isEmpty();
  }

  /** Returns what happened, in a few words. */
  String verdict() {
    List<String> words = new ArrayList<>();
    if (oversold != 0) {
      words.add("oversold " + oversold);
    }
    if (!what.isEmpty()) {
      words.add(what);
    }
    return strategy + (words.isEmpty() ? ": right" : ": " + String.join("; ", words));
  }
}
