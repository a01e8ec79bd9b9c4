package io.lockkeeper.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documents name exists. */
class DocumentsTest {

  private static final Path ARCHITECTURE = Repository.ROOT.resolve("ARCHITECTURE.md");
  private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern MODULE = Pattern.compile("lockkeeper-[a-z]+");
  private static final Pattern CLASS =
      Pattern.compile("([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:[.#].*|\\(.*)?");
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");

  /** Classes of the JDK that the documents speak of. */
  private static final Set<String> FOREIGN =
      Set.of(
          "Lock",
          "Condition",
          "ReentrantLock",
          "ServiceLoader",
          "CompletionStage",
          "CompletableFuture",
          "Executor",
          "Optional",
          "Duration",
          "Thread",
          "System",
          "Random");

  private static String read(Path document) throws IOException {
    assumeTrue(Files.exists(document), () -> document.getFileName() + " is not there yet");
    return FENCE.matcher(Files.readString(document)).replaceAll("");
  }

  private static List<String> code(String text) {
    List<String> found = new ArrayList<>();
    Matcher code = CODE.matcher(text);
    while (code.find()) {
      found.add(code.group(1));
    }
    return found;
  }

  private static Set<String> sources() throws IOException {
    try (Stream<Path> files =
        Files.find(
            Repository.ROOT,
            20,
            (file, attributes) ->
                file.toString().endsWith(".java") && file.toString().contains("/src/"))) {
      return files
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void everyModuleInTheArchitectureExists() throws IOException {
    Matcher module = MODULE.matcher(read(ARCHITECTURE));
    Set<String> missing = new TreeSet<>();
    while (module.find()) {
      if (!Files.isRegularFile(Repository.ROOT.resolve(module.group()).resolve("pom.xml"))) {
        missing.add(module.group());
      }
    }

    assertThat(missing).isEmpty();
  }

  @Test
  void everyModuleIsInTheArchitecture() throws IOException {
    String text = read(ARCHITECTURE);
    Matcher module =
        Pattern.compile("<module>(.*?)</module>")
            .matcher(Files.readString(Repository.ROOT.resolve("pom.xml")));
    while (module.find()) {
      assertThat(text).contains(module.group(1));
    }
  }

  @Test
  void everyClassInTheArchitectureExists() throws IOException {
    List<String> named = code(read(ARCHITECTURE));
    Set<String> sources = sources();
    Set<String> missing = new TreeSet<>();
    for (String name : named) {
      Matcher type = CLASS.matcher(name);
      if (type.matches() && !FOREIGN.contains(type.group(1)) && !sources.contains(type.group(1))) {
        missing.add(name);
      }
    }

    assertThat(missing).isEmpty();
  }

  @Test
  void everyLocalLinkLeadsToAFile() throws IOException {
    Set<String> broken = new TreeSet<>();
    try (Stream<Path> documents =
        Files.find(
            Repository.ROOT,
            4,
            (file, attributes) ->
                file.toString().endsWith(".md") && !file.toString().contains("/target/"))) {
      for (Path document : documents.toList()) {
        Matcher link = LINK.matcher(read(document));
        while (link.find()) {
          String target = link.group(1).replaceFirst("#.*", "");
          boolean local = !target.isEmpty() && !target.contains(":");
          if (local && !Files.exists(document.resolveSibling(target))) {
            broken.add(document.getFileName() + " -> " + target);
          }
        }
      }
    }

    assertThat(broken).isEmpty();
  }
}
