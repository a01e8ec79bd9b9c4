package io.lockkeeper.testkit.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.syntax.elements.ClassesShouldConjunction;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The rules that the code of the engine and of stores follows about time, threads and randomness:
 * it takes them from the {@link io.lockkeeper.spi.Environment} of its client, and blocks no thread
 * in a way that pins the carrier of a virtual one.
 *
 * <p>A module has a test that extends this. It needs ArchUnit among its test dependencies. The
 * classes are read once for all rules.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class CodeRules {

  /** Files that every jar has, and classes. */
  private static final Pattern NO_RESOURCE =
      Pattern.compile(".*\\.class|META-INF/(MANIFEST\\.MF|LICENSE.*|NOTICE.*|maven/.*)");

  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m)^\\s*//.*?$");

  private final URL location;
  private final JavaClasses classes;

  /**
   * Creates the test of a module.
   *
   * @param type a class of it; all classes of the same jar or folder are checked
   */
  protected CodeRules(Class<?> type) {
    this.location = type.getProtectionDomain().getCodeSource().getLocation();
    this.classes = new ClassFileImporter().importUrl(location);
  }

  /**
   * Returns which classes may read the machine's clocks, by their full names, and why each has to.
   * Default to none: the time comes from the environment.
   */
  protected Map<String, String> readersOfClocks() {
    return Map.of();
  }

  /** Returns which classes may make randomness, by their full names, and why. Default to none. */
  protected Map<String, String> sourcesOfRandomness() {
    return Map.of();
  }

  /**
   * Returns how many lines of code the module may have, without blank lines, comments and imports.
   * Default to any number.
   */
  protected int mostLines() {
    return Integer.MAX_VALUE;
  }

  private static GivenClassesConjunction noClassesBut(Map<String, String> exceptions) {
    return noClasses()
        .that(
            DescribedPredicate.describe(
                "are none of " + exceptions, type -> !exceptions.containsKey(type.getName())));
  }

  /** Returns the rule that nobody calls a method or refers to it. */
  private static ClassesShouldConjunction nobodyCalls(Class<?> owner, String method) {
    return noClasses().should().accessTargetWhere(target(owner, method));
  }

  private static DescribedPredicate<JavaAccess<?>> target(Class<?> owner, String method) {
    return DescribedPredicate.describe(
        owner.getSimpleName() + "." + method,
        access -> access.getTargetOwner().isEquivalentTo(owner) && access.getName().equals(method));
  }

  @Test
  void thereIsSomethingToCheck() {
    assertThat(classes).isNotEmpty();
    assertThat(classes)
        .extracting(JavaClass::getName)
        .containsAll(readersOfClocks().keySet())
        .containsAll(sourcesOfRandomness().keySet());
  }

  @Test
  void onlyTheExceptionsReadTheMachinesClocks() {
    for (String method : new String[] {"currentTimeMillis", "nanoTime"}) {
      noClassesBut(readersOfClocks())
          .should()
          .accessTargetWhere(target(System.class, method))
          .check(classes);
    }
    for (Class<?> wallClock : new Class<?>[] {Clock.class, Instant.class}) {
      noClassesBut(readersOfClocks())
          .should()
          .dependOnClassesThat()
          .areAssignableTo(wallClock)
          .check(classes);
    }
  }

  @Test
  void nothingOfWhatApplicationsAreBuiltOnIsUsed() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("reactor..", "kotlin..", "kotlinx..", "org.springframework..")
        .check(classes);
  }

  @Test
  void nobodySleeps() {
    nobodyCalls(Thread.class, "sleep").check(classes);
  }

  @Test
  void nobodyUsesTheCommonPoolOrATimerThread() {
    for (Class<?> shared : new Class<?>[] {ForkJoinPool.class, Timer.class, Executors.class}) {
      noClasses().should().dependOnClassesThat().areAssignableTo(shared).check(classes);
    }
    for (String method : new String[] {"orTimeout", "completeOnTimeout", "delayedExecutor"}) {
      nobodyCalls(CompletableFuture.class, method).check(classes);
    }
  }

  @Test
  void whatRunsAsynchronouslySaysOnWhichExecutor() {
    noClasses()
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "an Async method of a future without an executor",
                call ->
                    call.getTarget().getOwner().isAssignableTo(CompletionStage.class)
                        && call.getTarget().getName().endsWith("Async")
                        && call.getTarget().getRawParameterTypes().stream()
                            .noneMatch(type -> type.isEquivalentTo(Executor.class))))
        .check(classes);
  }

  @Test
  void randomnessIsInjected() {
    noClassesBut(sourcesOfRandomness())
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Random.class)
        .check(classes);
    noClasses()
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ThreadLocalRandom.class)
        .check(classes);
    nobodyCalls(Math.class, "random").check(classes);
  }

  /** Before JDK 24 a virtual thread that blocks in one pins its carrier. */
  @Test
  void nothingIsSynchronized() throws URISyntaxException {
    assertThat(methodsThatEnterMonitors()).isEmpty();
    noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED).check(classes);
    nobodyCalls(Object.class, "wait").check(classes);
    nobodyCalls(Object.class, "notifyAll").check(classes);
  }

  /** Returns where there are {@code synchronized} blocks, which only the byte code shows. */
  private List<String> methodsThatEnterMonitors() throws URISyntaxException {
    List<String> arguments =
        new ArrayList<>(List.of("-c", "-p", "-cp", Path.of(location.toURI()).toString()));
    classes.stream()
        .filter(type -> !type.getName().endsWith("-info"))
        .map(JavaClass::getName)
        .forEach(arguments::add);
    StringWriter code = new StringWriter();
    PrintWriter out = new PrintWriter(code);
    int result =
        ToolProvider.findFirst("javap")
            .orElseThrow()
            .run(out, out, arguments.toArray(String[]::new));
    assertThat(result).as("%s", code).isZero();
    List<String> found = new ArrayList<>();
    String type = "";
    String method = "";
    for (String line : (Iterable<String>) code.toString().lines()::iterator) {
      if (line.endsWith("{")) {
        type = line;
      } else if (line.endsWith(";") && !line.contains(": ")) {
        method = line;
      } else if (line.contains(": monitorenter")) {
        found.add(type + method);
      }
    }
    return found;
  }

  @Test
  void nothingThatChangesIsStatic() {
    noFields().that().areStatic().should().notBeFinal().check(classes);
    noFields().that().areStatic().should().haveRawType(AtomicReference.class).check(classes);
  }

  @Test
  void itIsAsSmallAsItIsMeantToBe() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      long lines = 0;
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        lines +=
            COMMENT
                .matcher(Files.readString(file))
                .replaceAll("")
                .lines()
                .filter(this::isCode)
                .count();
      }
      assertThat(lines).as("lines of code").isPositive().isLessThanOrEqualTo(mostLines());
    }
  }

  private boolean isCode(String line) {
    return !line.isBlank() && !line.startsWith("import ") && !line.startsWith("package ");
  }

  /** A native image has no other resources, and makes no other objects of classes by name. */
  @Test
  void aNativeImageIsToldOfTheResourcesAndTheProviders() throws IOException, URISyntaxException {
    Path place = Path.of(location.toURI());
    if (Files.isDirectory(place)) {
      checkNativeImage(place);
      return;
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      checkNativeImage(jar.getPath("/"));
    }
  }

  private static void checkNativeImage(Path root) throws IOException {
    List<String> resources = new ArrayList<>();
    List<String> providers = new ArrayList<>();
    StringBuilder told = new StringBuilder();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        String name = root.relativize(file).toString();
        if (name.startsWith("META-INF/native-image/")) {
          told.append(Files.readString(file));
        } else if (!NO_RESOURCE.matcher(name).matches()) {
          resources.add(name);
          if (name.startsWith("META-INF/services/")) {
            providers.addAll(Files.readAllLines(file));
          }
        }
      }
    }
    List<Pattern> patterns =
        texts("pattern", told).map(text -> Pattern.compile(text.replace("\\\\", "\\"))).toList();
    assertThat(resources)
        .allSatisfy(
            name -> assertThat(patterns).anyMatch(pattern -> pattern.matcher(name).matches()));
    assertThat(patterns)
        .allSatisfy(
            pattern -> assertThat(resources).anyMatch(name -> pattern.matcher(name).matches()));
    assertThat(texts("name", told)).containsAll(providers);
  }

  /** Returns the texts that stand behind a name in JSON. */
  private static Stream<String> texts(String name, CharSequence json) {
    return Pattern.compile("\"" + name + "\": \"([^\"]+)\"")
        .matcher(json)
        .results()
        .map(found -> found.group(1));
  }

  @Test
  void nobodyPrints() {
    noClasses().should().accessField(System.class, "out").check(classes);
    noClasses().should().accessField(System.class, "err").check(classes);
    nobodyCalls(Throwable.class, "printStackTrace").check(classes);
  }
}
