package io.lockkeeper.testkit.tck;

import io.lockkeeper.testkit.juc.LockConformance;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All the classes of tests that a store has to pass, and the promises that they check. */
public final class Chapters {

  private Chapters() {}

  /** Returns the classes. A store's module extends each of them. */
  public static List<Class<?>> all() {
    return List.of(
        ExclusionTck.class,
        TokensTck.class,
        LeaseTck.class,
        ReleaseTck.class,
        WaitingTck.class,
        OrderTck.class,
        IdleTck.class,
        DeadlockTck.class,
        InspectTck.class,
        ReentrancyTck.class,
        TimeLimitsTck.class,
        RenewalTck.class,
        ClosingTck.class,
        NamesTck.class,
        EventsTck.class,
        ReadWriteTck.class,
        SemaphoreTck.class,
        BarrierTck.class,
        CounterTck.class,
        SharedValueTck.class,
        LatchTck.class,
        MultiLockTck.class,
        LeaderTck.class,
        PeerRegressions.class,
        PeerScenarios.class,
        LockConformance.class);
  }

  /** Returns the ids of the promises that their tests name. */
  public static Set<String> promises() {
    return all().stream()
        .flatMap(chapter -> Arrays.stream(chapter.getDeclaredMethods()))
        .flatMap(Chapters::promises)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<String> promises(Method test) {
    Promise promise = test.getAnnotation(Promise.class);
    return promise == null ? Stream.empty() : Arrays.stream(promise.value());
  }
}
