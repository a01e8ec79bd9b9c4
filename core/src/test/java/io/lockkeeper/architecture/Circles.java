package io.lockkeeper.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/** Finds parts that depend on each other in a circle. */
final class Circles {

  private Circles() {}

  /**
   * Returns the parts that stand in a circle, or between two of them, with what they depend on.
   *
   * @param part the part that a class belongs to; empty if it does not count
   * @param counts which dependencies count
   */
  static Map<String, Set<String>> among(
      Iterable<JavaClass> classes, Function<JavaClass, String> part, Predicate<Dependency> counts) {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass type : classes) {
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String user = part.apply(type);
        String used = part.apply(dependency.getTargetClass());
        if (!user.isEmpty() && !used.isEmpty() && !user.equals(used) && counts.test(dependency)) {
          uses.computeIfAbsent(user, absent -> new TreeSet<>()).add(used);
        }
      }
    }
    return among(uses);
  }

  /** Takes away again and again what uses none of the rest, or is used by none of it. */
  static Map<String, Set<String>> among(Map<String, Set<String>> uses) {
    Map<String, Set<String>> left = new TreeMap<>();
    uses.forEach((user, used) -> left.put(user, new TreeSet<>(used)));
    boolean shrinks = true;
    while (shrinks) {
      Set<String> used = new TreeSet<>();
      left.values().forEach(used::addAll);
      shrinks = left.keySet().retainAll(used);
      for (Set<String> each : left.values()) {
        shrinks |= each.retainAll(left.keySet());
      }
      shrinks |= left.values().removeIf(Set::isEmpty);
    }
    return left;
  }
}
