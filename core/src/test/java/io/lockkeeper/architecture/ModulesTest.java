package io.lockkeeper.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Product and workshop stand apart in the tree: dependencies lead from the outer folders to the
 * stores and the core, and never back.
 */
class ModulesTest {

  /** On which folders the modules of a folder may depend, in any scope but test. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.of(
          "core", Set.of(),
          "stores", Set.of("core"),
          "tools", Set.of("core", "stores", "tools"),
          "integrations", Set.of("core", "stores", "tools", "integrations"),
          "testing", Set.of("core", "stores", "testing"),
          "workshop", Set.of("core", "stores", "tools", "integrations", "testing", "workshop"),
          "examples", Set.of("core", "stores", "tools", "integrations"));

  /** On what their tests may depend too, and on others in their folder. */
  private static final Set<String> TESTS_MAY_USE =
      Set.of("stores", "testing", "workshop/simulation");

  private static final String BOM = "bom"; // only has versions
  private static final String UNPUBLISHED = "<maven.deploy.skip>true</maven.deploy.skip>";

  private static final Pattern COMMENT = Pattern.compile("(?s)<!--.*?-->");
  private static final Pattern MANAGED =
      Pattern.compile("(?s)<dependencyManagement>.*?</dependencyManagement>");
  private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");
  private static final Pattern EXCLUSIONS = Pattern.compile("(?s)<exclusions>.*?</exclusions>");
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");

  @Test
  void eachModuleIsInAFolderWithARule() throws IOException {
    assertThat(Repository.modules())
        .filteredOn(module -> !module.equals(BOM))
        .extracting(ModulesTest::folder)
        .isSubsetOf(MAY_USE.keySet());
  }

  @Test
  void dependenciesLeadFromTheOuterFoldersToTheStoresAndTheCore() throws IOException {
    Map<String, String> modules = new HashMap<>();
    for (String module : Repository.modules()) {
      modules.put(Repository.artifact(module), module);
    }
    List<String> wrong = new ArrayList<>();
    int seen = 0;
    for (String module : modules.values()) {
      for (String dependency : dependencies(Repository.pom(module))) {
        String used = modules.get(artifact(dependency));
        if (used != null) {
          seen++;
          boolean isOfTests = dependency.contains("<scope>test</scope>");
          if (!isAllowed(module, used, isOfTests)) {
            wrong.add(message(module, used, isOfTests));
          }
        }
      }
    }

    assertThat(wrong).as("against the dependency rules in ARCHITECTURE.md").isEmpty();
    assertThat(seen).isGreaterThan(80);
  }

  @Test
  void nothingOfTheWorkshopIsPublished() throws IOException {
    for (String module : Repository.modules()) {
      if (folder(module).equals("workshop")) {
        assertThat(Repository.pom(module)).as(module).contains(UNPUBLISHED);
      }
    }
  }

  /** In a search and in a stack trace one name would stand for two things. */
  @Test
  void noTwoStoresHaveAFileOfOneName() throws IOException {
    Map<String, Set<String>> stores = new TreeMap<>();
    for (String module : Repository.modules()) {
      if (folder(module).equals("stores")) {
        try (Stream<Path> files = Files.walk(Repository.ROOT.resolve(module + "/src/main/java"))) {
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".java") && !name.contains("-info"))
              .forEach(name -> stores.computeIfAbsent(name, it -> new TreeSet<>()).add(module));
        }
      }
    }

    assertThat(stores).hasSizeGreaterThan(100);
    stores.values().removeIf(modules -> modules.size() == 1);
    assertThat(stores).isEmpty();
  }

  @Test
  void whatLeadsBackIsFound() {
    assertThat(isAllowed("stores/redis", "core", false)).isTrue();
    assertThat(isAllowed("stores/redis", "stores/memory", false)).isFalse();
    assertThat(isAllowed("stores/redis", "stores/memory", true)).isTrue();
    assertThat(isAllowed("stores/redis", "testing/servers", false)).isFalse();
    assertThat(isAllowed("stores/redis", "integrations/spring", true)).isFalse();
    assertThat(isAllowed("tools/cli", "workshop/lab", true)).isFalse();
    assertThat(isAllowed("testing/testkit", "workshop/simulation", false)).isFalse();
    assertThat(dependencies("<dependency><artifactId>a</artifactId></dependency>")).hasSize(1);
  }

  private static boolean isAllowed(String module, String used, boolean isOfTests) {
    String folder = folder(module);
    return MAY_USE.get(folder).contains(folder(used))
        || (isOfTests
            && (folder.equals(folder(used))
                || TESTS_MAY_USE.contains(folder(used))
                || TESTS_MAY_USE.contains(used)));
  }

  private static String message(String module, String used, boolean isOfTests) {
    String folder = folder(module);
    return module
        + (isOfTests ? " in its tests" : "")
        + " depends on "
        + used
        + "; "
        + folder
        + " may depend on "
        + new TreeSet<>(MAY_USE.get(folder))
        + ", and its tests on "
        + folder
        + " and "
        + new TreeSet<>(TESTS_MAY_USE)
        + " too";
  }

  /** Returns {@code stores} for {@code stores/redis}. */
  private static String folder(String module) {
    return module.replaceFirst("/.*", "");
  }

  /** Returns the elements of a pom that name what a module depends on, in profiles too. */
  private static List<String> dependencies(String pom) {
    String own = MANAGED.matcher(COMMENT.matcher(pom).replaceAll("")).replaceAll("");
    return DEPENDENCY
        .matcher(EXCLUSIONS.matcher(own).replaceAll(""))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static String artifact(String dependency) {
    Matcher found = ARTIFACT.matcher(dependency);
    return found.find() ? found.group(1) : "";
  }
}
