package io.lockkeeper.lab.oversell.strategy;

/** No guard at all: everybody enters at once. */
final class NoLock implements GuardStrategy {

  private static final Guard OPEN_DOOR =
      new Guard() {
        @Override
        public long enter() {
          return NO_TOKEN;
        }

        @Override
        public void exit() {}
      };

  @Override
  public String name() {
    return "none";
  }

  @Override
  public String summary() {
    return "no lock: shows the damage";
  }

  @Override
  public Scope scope() {
    return Scope.NOBODY;
  }

  @Override
  public Guards guards(GuardContext context) {
    return new Guards() {
      @Override
      public Guard guard(String name) {
        return OPEN_DOOR;
      }

      @Override
      public void close() {}
    };
  }
}
