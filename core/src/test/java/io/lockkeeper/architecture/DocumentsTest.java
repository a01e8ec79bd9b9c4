package io.lockkeeper.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documents name exists. */
class DocumentsTest {

  private static final Path ARCHITECTURE = Repository.ROOT.resolve("ARCHITECTURE.md");

  private static final Pattern ABOUT_THE_CODE =
      Pattern.compile("(ARCHITECTURE|CONTRIBUTING|docs/(CONCURRENCY|glossary|guide/.*))\\.md");
  private static final Path GUIDE = Repository.ROOT.resolve("docs").resolve("guide");

  /** A row of a table whose first cell is a message, and not an option or a command. */
  private static final Pattern MESSAGE = Pattern.compile("^\\| `[^`|]* [^`|]*`");

  private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern MODULE = Pattern.compile("lockkeeper-[a-z0-9-]+");
  private static final Pattern CLASS =
      Pattern.compile("([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)((?:[.#]\\w+)*)(?:\\(.*)?");
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");

  /** Where the classes of the JDK are that the documents speak of. */
  private static final List<String> JDK =
      List.of(
          "java.lang.",
          "java.util.",
          "java.util.concurrent.",
          "java.util.concurrent.atomic.",
          "java.util.concurrent.locks.",
          "java.util.random.",
          "java.time.",
          "java.security.",
          "javax.sql.");

  /** Classes of drivers and frameworks that the documents speak of. */
  private static final Set<String> FOREIGN =
      Set.of(
          "DisconnectedBehavior",
          "LettuceConnectionFactory",
          "CuratorFramework",
          "DynamoDbAsyncClient",
          "PutItem",
          "UpdateItem",
          "BatchGetItem",
          "GetItem",
          "HealthIndicator",
          "JdbcLockRegistry",
          "LockRegistry",
          "LockRegistryLeaderInitiator",
          "LockRequestHandlerAdvice",
          "OnFailedToAcquireMutexEvent",
          "OnGrantedEvent",
          "OnRevokedEvent",
          "RedisLockRegistry",
          "ZookeeperLockRegistry",
          "ConnectionStateListener",
          "DistributedAtomicLong",
          "DistributedBarrier",
          "DistributedDoubleBarrier",
          "InterProcessMultiLock",
          "InterProcessMutex",
          "InterProcessReadWriteLock",
          "InterProcessSemaphoreMutex",
          "InterProcessSemaphoreV2",
          "KeepAliveLockProvider",
          "LeaderLatch",
          "LeaderSelector",
          "LockExtender",
          "LockInfo",
          "LockProvider",
          "LockingTaskExecutor",
          "PersistentNode",
          "RFencedLock",
          "RLockReactive",
          "SharedCount",
          "TransactionTemplate",
          "DeferredResult",
          "Mono",
          "Flux",
          "Uni",
          "Multi");

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

  /** Returns the text of each class with a file of its own, or of all that have its name. */
  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> files =
        Files.find(
            Repository.ROOT,
            20,
            (file, attributes) ->
                file.toString().matches(".*\\.(java|kt)") && file.toString().contains("/src/"))) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString().replaceFirst("\\.(java|kt)$", "");
        sources.merge(name, Files.readString(file), String::concat);
      }
    }
    return sources;
  }

  @Test
  void everyModuleInTheArchitectureExists() throws IOException {
    Set<String> artifacts = new TreeSet<>();
    for (String module : Repository.modules()) {
      artifacts.add(Repository.artifact(module));
    }

    assertThat(MODULE.matcher(read(ARCHITECTURE)).results().map(MatchResult::group))
        .isNotEmpty()
        .isSubsetOf(artifacts);
  }

  @Test
  void everyModuleIsInTheArchitecture() throws IOException {
    String text = read(ARCHITECTURE);
    String withTheTree = Files.readString(ARCHITECTURE);
    for (String module : Repository.modules()) {
      assertThat(text).contains(Repository.artifact(module));
      assertThat(withTheTree).containsPattern("(?m)^" + module.replace("/", "/ .*\\b") + "\\b");
    }
  }

  @Test
  void everyClassAndMemberInTheDocumentsAboutTheCodeExists() throws IOException {
    Map<String, String> sources = sources();
    Set<String> missing = new TreeSet<>();
    for (Path document : documents()) {
      String path = Repository.ROOT.relativize(document).toString();
      if (ABOUT_THE_CODE.matcher(path).matches()) {
        for (String name : code(read(document))) {
          Matcher type = CLASS.matcher(name);
          if (type.matches() && !exists(type.group(1), type.group(2), sources)) {
            missing.add(path + ": " + name);
          }
        }
      }
    }

    assertThat(missing).isEmpty();
  }

  /** Each {@code ...} in a message of the guide stands for what differs. */
  @Test
  void everyMessageInTroubleshootingIsThrownOrLogged() throws IOException {
    String sources = mainSources().replaceAll("\"\\s*\\+\\s*\"", "");
    Set<String> missing = new TreeSet<>();
    int count = 0;
    for (String line : read(GUIDE.resolve("troubleshooting.md")).lines().toList()) {
      if (MESSAGE.matcher(line).find()) {
        for (String message : code(line.split("\\|", -1)[1])) {
          count++;
          for (String part : message.split("\\.\\.\\.", -1)) {
            if (!sources.contains(part.strip())) {
              missing.add(message);
            }
          }
        }
      }
    }

    assertThat(missing).isEmpty();
    assertThat(count).isGreaterThan(20);
  }

  private static String mainSources() throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files =
        Files.find(
            Repository.ROOT,
            20,
            (file, attributes) ->
                file.toString().endsWith(".java") && file.toString().contains("/src/main/"))) {
      for (Path file : files.toList()) {
        text.append(Files.readString(file));
      }
    }
    return text.toString();
  }

  private static boolean exists(String type, String members, Map<String, String> sources) {
    String text = sources.get(type);
    return text == null
        ? FOREIGN.contains(type) || JDK.stream().anyMatch(owner -> isClass(owner + type))
        : Stream.of(members.split("[.#]"))
            .allMatch(member -> Pattern.compile("\\b" + member + "\\b").matcher(text).find());
  }

  private static boolean isClass(String name) {
    try {
      Class.forName(name, false, ClassLoader.getPlatformClassLoader());
      return true;
    } catch (ClassNotFoundException none) {
      return false;
    }
  }

  @Test
  void everyLocalLinkLeadsToAFileAndAHeading() throws IOException {
    Set<String> broken = new TreeSet<>();
    for (Path document : documents()) {
      Matcher link = LINK.matcher(read(document));
      while (link.find()) {
        String[] target = link.group(1).split("#", 2);
        Path file = target[0].isEmpty() ? document : document.resolveSibling(target[0]);
        boolean local = !target[0].contains(":");
        boolean leads =
            Files.exists(file) && (target.length == 1 || anchors(file).contains(target[1]));
        if (local && !leads) {
          broken.add(document.getFileName() + " -> " + link.group(1));
        }
      }
    }

    assertThat(broken).isEmpty();
  }

  @Test
  void everyDocumentIsInTheIndex() throws IOException {
    Set<Path> listed = new TreeSet<>();
    for (String index : List.of("docs/README.md", "docs/guide/README.md", "docs/adr/README.md")) {
      Path page = Repository.ROOT.resolve(index);
      listed.add(page);
      Matcher link = LINK.matcher(read(page));
      while (link.find()) {
        listed.add(page.resolveSibling(link.group(1)).normalize());
      }
    }

    assertThat(listed).containsAll(documents());
  }

  @Test
  void theDocumentsAreShort() throws IOException {
    int all = 0;
    for (Path document : documents()) {
      all += words(document);
    }

    assertThat(words(Repository.ROOT.resolve("README.md"))).isLessThanOrEqualTo(700);
    assertThat(words(Repository.ROOT.resolve("docs").resolve("SPEC.md")))
        .isLessThanOrEqualTo(7_000);
    assertThat(all).isLessThanOrEqualTo(60_000);
  }

  private static int words(Path document) throws IOException {
    return Files.readString(document).strip().split("\\s+").length;
  }

  @Test
  void theFiguresInTheReadmeAreThoseOfTheBenchmark() throws IOException {
    String readme = Files.readString(Repository.ROOT.resolve("README.md"));
    List<String> measured =
        Files.readAllLines(Repository.ROOT.resolve("docs").resolve("benchmarks-services.md"));
    List<String> rows =
        readme
            .substring(readme.indexOf("results:begin"), readme.indexOf("results:end"))
            .lines()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| lock"))
            .toList();

    assertThat(rows)
        .isNotEmpty()
        .allSatisfy(
            row ->
                assertThat(measured)
                    .anySatisfy(line -> assertThat(cells(line)).containsAll(cells(row))));
  }

  /** Returns the cells of a row, without the spread in brackets behind a figure. */
  private static Set<String> cells(String row) {
    return Stream.of(row.split("\\|"))
        .map(cell -> cell.replaceFirst(" \\(.*", "").strip())
        .collect(Collectors.toSet());
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> files =
        Files.find(
            Repository.ROOT,
            4,
            (file, attributes) ->
                file.toString().endsWith(".md")
                    && !file.toString().matches(".*/(target|node_modules)/.*"))) {
      return files.sorted().toList();
    }
  }

  /** Returns what a link to a heading of the page says behind the {@code #}, as GitHub has it. */
  private static Set<String> anchors(Path page) throws IOException {
    return read(page)
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }
}
