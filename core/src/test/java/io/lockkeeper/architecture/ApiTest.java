package io.lockkeeper.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The signatures of all that users and stores may call are those in {@code api}, a file for each
 * module: nobody changes them by accident. {@code -Dlockkeeper.api.update=true} writes the files
 * anew; their difference is a part of the change, and belongs into the changelog.
 */
class ApiTest {

  private static final Path FILES = Path.of("src", "test", "resources", "api");

  /**
   * Published, but not to be compiled against: the build of an application, and tests of stores.
   */
  private static final Set<String> OTHERS =
      Set.of("integrations/quarkus-deployment", "testing/servers", "testing/testkit", "tools/cli");

  private static final Pattern EXPORT = Pattern.compile("exports ([\\w.]+);");

  /** Returns the published modules in Java. That in Kotlin is small. */
  static List<String> modules() throws IOException {
    List<String> modules = new ArrayList<>();
    for (String module : BomTest.published()) {
      if (!OTHERS.contains(module) && Files.isDirectory(sources(module))) {
        modules.add(module);
      }
    }
    return modules;
  }

  private static Path sources(String module) {
    return Repository.ROOT.resolve(module).resolve("src/main/java");
  }

  @ParameterizedTest
  @MethodSource("modules")
  void theApiChangesOnlyOnPurpose(String module) throws IOException {
    Path file = FILES.resolve(Repository.artifact(module) + ".txt");
    List<String> lines = Signatures.of(exported(sources(module)));
    if (Boolean.getBoolean("lockkeeper.api.update")) {
      Files.createDirectories(FILES);
      Files.write(file, lines);
    }

    assertThat(lines)
        .as("the API has changed; if that is meant, run this with -Dlockkeeper.api.update=true")
        .isNotEmpty()
        .isEqualTo(Files.readAllLines(file));
  }

  /** Returns the sources of the packages that the module exports; all without a descriptor. */
  private static List<Path> exported(Path sources) throws IOException {
    Path descriptor = sources.resolve("module-info.java");
    List<Path> packages =
        Files.exists(descriptor)
            ? EXPORT
                .matcher(Files.readString(descriptor))
                .results()
                .map((MatchResult found) -> sources.resolve(found.group(1).replace('.', '/')))
                .toList()
            : List.of();
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("module-info.java") && !file.endsWith("package-info.java"))
          .filter(file -> packages.isEmpty() || packages.contains(file.getParent()))
          .sorted()
          .toList();
    }
  }
}
