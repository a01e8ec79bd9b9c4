package io.lockkeeper.spi.rule;

/**
 * Says of one waiting claim after the other, in order, whether it is admitted. A claim that is
 * passed keeps its place.
 */
@FunctionalInterface
public interface Door {

  /** The verdicts on a claim. */
  enum Verdict {
    /** It is admitted. */
    TAKE,
    /** It waits on. */
    PASS,
    /** It waits on, and of those behind only such as overtake can still be admitted. */
    PASS_TO_OVERTAKERS,
    /** It waits on, and so does everything behind it. */
    STOP
  }

  /** Looks at the next live claim. */
  Verdict visit(int permits, boolean overtakes);

  /** Admits the first so many. */
  static Door first(int count) {
    return new Door() {
      private int left = count;

      @Override
      public Verdict visit(int permits, boolean overtakes) {
        return left-- > 0 ? Verdict.TAKE : Verdict.STOP;
      }
    };
  }

  /**
   * Admits claims while their permits last.
   *
   * @param limit how many there are
   * @param out how many of them are out
   */
  static Door whilePermitsLast(int limit, long out) {
    return new Door() {
      private long left = limit - out;

      /** True once a claim that wants more than is left has been passed. */
      private boolean isBlocked;

      @Override
      public Verdict visit(int permits, boolean overtakes) {
        if (left <= 0) {
          return Verdict.STOP;
        } else if (permits <= left && (overtakes || !isBlocked)) {
          left -= permits;
          return Verdict.TAKE;
        } else if (permits > limit) {
          return Verdict.PASS; // one that wants more than there is holds nobody up
        }
        isBlocked = true;
        return Verdict.PASS_TO_OVERTAKERS;
      }
    };
  }
}
