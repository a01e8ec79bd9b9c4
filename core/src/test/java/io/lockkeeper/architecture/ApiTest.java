package io.lockkeeper.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import java.io.IOException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The signatures of all that users and stores may call are those in {@code api.txt}: nobody changes
 * them by accident. {@code -Dlockkeeper.api.update=true} writes the file anew; its difference is a
 * part of the change, and belongs into the changelog.
 */
class ApiTest {

  private static final Path FILE = Path.of("src", "test", "resources", "api.txt");
  private static final List<String> PACKAGES =
      List.of(
          "io.lockkeeper",
          "io.lockkeeper.integration",
          "io.lockkeeper.spi",
          "io.lockkeeper.spi.record",
          "io.lockkeeper.spi.rule",
          "io.lockkeeper.spi.support");

  @Test
  void theApiChangesOnlyOnPurpose() throws Exception {
    List<String> lines = new ArrayList<>();
    for (String name : PACKAGES) {
      for (Class<?> type : publicTypes(name)) {
        describe(type, lines);
      }
    }
    if (Boolean.getBoolean("lockkeeper.api.update")) {
      Files.write(FILE, lines);
    }

    assertThat(lines)
        .as("the API has changed; if that is meant, run this with -Dlockkeeper.api.update=true")
        .isEqualTo(Files.readAllLines(FILE));
  }

  private static List<Class<?>> publicTypes(String name)
      throws IOException, URISyntaxException, ClassNotFoundException {
    Path root =
        Path.of(Lockkeeper.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Class<?>> types = new ArrayList<>();
    try (Stream<Path> files = Files.list(root.resolve(name.replace('.', '/')))) {
      for (Path file : files.sorted().toList()) {
        String simple = file.getFileName().toString();
        if (simple.endsWith(".class") && !simple.startsWith("package-info")) {
          Class<?> type = Class.forName(name + "." + simple.substring(0, simple.length() - 6));
          if (isReachable(type)) {
            types.add(type);
          }
        }
      }
    }
    return types;
  }

  private static boolean isReachable(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return isOpen(type.getModifiers())
        && !type.isAnonymousClass()
        && (outer == null || isReachable(outer));
  }

  private static boolean isOpen(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static void describe(Class<?> type, List<String> lines) {
    lines.add(type.toGenericString() + parents(type));
    Stream.of(type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
        .flatMap(Arrays::stream)
        .filter(member -> isOpen(((Member) member).getModifiers()))
        .filter(member -> !((Member) member).isSynthetic())
        .map(ApiTest::text)
        .sorted()
        .forEach(line -> lines.add("  " + line));
  }

  private static String parents(Class<?> type) {
    List<String> parents = new ArrayList<>();
    if (type.getGenericSuperclass() != null && type.getSuperclass() != Object.class) {
      parents.add(type.getGenericSuperclass().getTypeName());
    }
    Arrays.stream(type.getGenericInterfaces()).forEach(each -> parents.add(each.getTypeName()));
    return parents.isEmpty() ? "" : " : " + String.join(", ", parents);
  }

  private static String text(AccessibleObject member) {
    return member instanceof Executable executable
        ? executable.toGenericString()
        : ((Field) member).toGenericString();
  }
}
