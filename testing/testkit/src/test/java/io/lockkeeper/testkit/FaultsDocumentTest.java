package io.lockkeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests that {@code docs/faults.md} names are there. */
class FaultsDocumentTest {

  private static final Path ROOT = Path.of("..", "..");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w+)`");
  private static final Pattern METHOD = Pattern.compile("(?:void|fun) (\\w+)\\(");
  private static final Pattern SOURCE = Pattern.compile("(\\w+)\\.(?:java|kt)");

  @Test
  void theTestsThatItNamesAreThere() throws IOException {
    String document = Files.readString(ROOT.resolve("docs").resolve("faults.md"));
    List<String> named =
        NAMED.matcher(document).results().map(it -> it.group(1) + "." + it.group(2)).toList();

    assertThat(named).hasSizeGreaterThan(50);
    Set<String> tests = tests();
    assertThat(named).filteredOn(name -> !tests.contains(name)).isEmpty();
  }

  private static Set<String> tests() throws IOException {
    Set<String> tests = new HashSet<>();
    for (Path sources : sources()) {
      try (Stream<Path> files = Files.walk(sources)) {
        files.forEach(file -> add(file, tests));
      }
    }
    return tests;
  }

  /** Returns where the sources of the modules are. */
  private static List<Path> sources() throws IOException {
    return MODULE
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .map(found -> ROOT.resolve(found.group(1)).resolve("src"))
        .filter(Files::exists)
        .toList();
  }

  private static void add(Path file, Set<String> tests) {
    Matcher source = SOURCE.matcher(file.getFileName().toString());
    if (!source.matches()) {
      return;
    }
    try {
      METHOD
          .matcher(Files.readString(file))
          .results()
          .forEach(it -> tests.add(source.group(1) + "." + it.group(1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
