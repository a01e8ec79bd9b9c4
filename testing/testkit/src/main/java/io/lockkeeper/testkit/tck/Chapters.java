package io.lockkeeper.testkit.tck;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All the classes of tests that a store has to pass, and the promises that they check. A store's
 * module extends the three groups of them: {@link LockChapters}, {@link SharedChapters} and {@link
 * CellChapters}.
 */
public final class Chapters {

  private Chapters() {}

  /** Returns the classes. */
  public static List<Class<?>> all() {
    return Stream.of(LockChapters.class, SharedChapters.class, CellChapters.class)
        .flatMap(group -> Arrays.stream(group.getDeclaredClasses()))
        .<Class<?>>map(Class::getSuperclass)
        .toList();
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
