package io.lockkeeper.lab.oversell.strategy;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** A {@link ReentrantLock}: the reference for what a lock costs that asks no store. */
final class JvmLock implements GuardStrategy {

  @Override
  public String name() {
    return "jvm";
  }

  @Override
  public String summary() {
    return "ReentrantLock, one JVM only";
  }

  @Override
  public Scope scope() {
    return Scope.ONE_PROCESS;
  }

  @Override
  public Guards guards(GuardContext context) {
    Map<String, Guard> guards = new ConcurrentHashMap<>();
    return new Guards() {
      @Override
      public Guard guard(String name) {
        return guards.computeIfAbsent(name, key -> new JavaLock(new ReentrantLock()));
      }

      @Override
      public void close() {}
    };
  }
}
