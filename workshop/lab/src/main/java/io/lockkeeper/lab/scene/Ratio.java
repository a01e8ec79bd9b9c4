package io.lockkeeper.lab.scene;

import io.lockkeeper.lab.report.Numbers;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A lock of Lockkeeper's beside one of Redisson's in the same run.
 *
 * @param scene Lockkeeper's
 * @param beside Redisson's
 * @param times how many times Redisson's orders per second Lockkeeper's has
 * @param least how many times are expected, noise left aside
 * @param judged whether there were orders enough to tell
 */
record Ratio(String scene, String beside, double times, double least, boolean judged) {

  private static final Map<String, String> PAIRS =
      Map.of("lockRedis", "redisson", "fairLockRedis", "redissonFair");

  /** With fewer the start of the processes decides. */
  private static final long ENOUGH_ORDERS = 1_000;

  /** By how much one measured once may be off. */
  private static final double NOISE = 0.8;

  private static final double WHERE_THE_LOCK_IS_THE_LIMIT = 2;
  private static final double EVERYWHERE = 1;

  /**
   * The lock is the limit where so many times as many orders would fit: something else in the same
   * run shows that users, proxy and service get through them, and the time inside leaves room.
   */
  private static final double ROOM = 3;

  /** Returns those that the results allow. */
  static List<Ratio> of(List<SceneResult> results) {
    double most =
        results.stream()
            .mapToDouble(it -> it.load().ordersPerSecond())
            .filter(it -> it > 0)
            .max()
            .orElse(0);
    return PAIRS.keySet().stream()
        .sorted()
        .flatMap(scene -> of(results, scene, most).stream())
        .toList();
  }

  private static Optional<Ratio> of(List<SceneResult> results, String scene, double most) {
    String beside = PAIRS.getOrDefault(scene, "");
    Optional<SceneResult> own = find(results, scene);
    Optional<SceneResult> other = find(results, beside);
    if (own.isEmpty() || other.isEmpty()) {
      return Optional.empty();
    }
    double theirs = other.get().load().ordersPerSecond();
    boolean isLimit =
        most >= ROOM * theirs && ROOM * theirs * other.get().load().secondsInside() <= 1;
    double least = isLimit ? WHERE_THE_LOCK_IS_THE_LIMIT : EVERYWHERE;
    boolean judged = own.get().plan().total() >= ENOUGH_ORDERS;
    double times = own.get().load().ordersPerSecond() / theirs;
    return Optional.of(new Ratio(scene, beside, times, least, judged));
  }

  private static Optional<SceneResult> find(List<SceneResult> results, String scene) {
    return results.stream()
        .filter(result -> result.scene().name().equals(scene))
        .filter(result -> result.load().done() > 0)
        .findFirst();
  }

  boolean isAsExpected() {
    return !judged || times >= least * NOISE;
  }

  /** Returns it as a sentence. */
  String sentence() {
    String said =
        scene + " has " + Numbers.threeDigits(times) + " times the orders per second of " + beside;
    if (!judged) {
      return said + "; not judged with fewer than " + ENOUGH_ORDERS + " orders";
    }
    return said
        + "; expected: at least "
        + Numbers.count(least)
        + (least > EVERYWHERE
            ? ", since the lock is the limit"
            : ", since nothing in this run has shown the lock to be the limit");
  }
}
