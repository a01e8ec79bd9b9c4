package io.lockkeeper.lab.scene;

import java.util.EnumSet;
import java.util.Set;

/**
 * One scene: a strategy under load, and a fault that breaks one strategy and not another.
 *
 * @param name on the command line and in the reports
 * @param about what it shows, in a sentence
 * @param instances how many serve
 * @param lock the store that the lock is in
 * @param stock the store that the stock is in
 * @param strategy what is put under load
 * @param broken what the fault breaks
 * @param mishap what happens
 * @param cure what it does not break
 * @param reported orders per second that others have reported for the strategy, or nothing
 * @param load how it is put under load
 */
record Scene(
    String name,
    String about,
    int instances,
    Place lock,
    Place stock,
    String strategy,
    String broken,
    Mishap mishap,
    String cure,
    String reported,
    Load load) {

  /** How a strategy is put under load. */
  enum Load {
    /** What the strategy costs is shown, and nothing is judged. */
    SHOWN,
    /** It must be right to the piece. */
    EXACT,
    /** One in five of the orders, for what is slow and is not judged. */
    LIGHT
  }

  /** Returns why it shows nothing in a database of this URL, or nothing. */
  String unfitFor(String database) {
    return mishap == Mishap.OTHER_ROW && database.startsWith("jdbc:postgresql:")
        ? "PostgreSQL locks the rows that match and no others, with an index and without"
        : "";
  }

  Set<Place> places() {
    return EnumSet.of(lock, stock);
  }
}
