package io.lockkeeper.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.lockkeeper.ClientInfo;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.Quarantine;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What may depend on what in the core. What it keeps its hands off is checked by {@code
 * CoreCodeTest} in the test kit, with the rules that are for stores too.
 */
class ArchitectureTest {

  private static final String API = "io.lockkeeper";
  private static final String SPI = "io.lockkeeper.spi";
  private static final String RULE = "io.lockkeeper.spi.rule";
  private static final String RECORD = "io.lockkeeper.spi.record";
  private static final String SUPPORT = "io.lockkeeper.spi.support";
  private static final String ENGINE = "io.lockkeeper.engine";
  private static final String COMPOSE = "io.lockkeeper.compose";
  private static final String INTEGRATION = "io.lockkeeper.integration";
  private static final String DOOR = API + ".Composition";
  private static final String SETTINGS = API + ".ClientProperties";

  /** The engine's packages, each of which knows only some of those before it. */
  private static final List<String> LAYERS =
      Stream.of("policy", "state", "runtime", "coordination", "register", "deadlock", "view")
          .map(layer -> ENGINE + "." + layer)
          .toList();

  private static final String STATE = ENGINE + ".state";

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(API);

  private static void check(ArchRule rule) {
    rule.check(CORE);
  }

  // ------------------------------------------------------------- dependencies

  @Test
  void theCoreIsTheApiTheSpiWhatIsComposedAndTheEngine() {
    assertThat(
            CORE.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> !name.startsWith(ENGINE + "."))
                .distinct())
        .containsExactlyInAnyOrder(API, SPI, RULE, RECORD, SUPPORT, COMPOSE, INTEGRATION);
    assertThat(
            CORE.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> name.startsWith(ENGINE))
                .distinct())
        .containsExactlyInAnyOrderElementsOf(LAYERS);
  }

  // ------------------------------------------------------------- inside the engine

  @Test
  void thePackagesOfTheEngineOnlyKnowWhatIsBelow() {
    for (int i = 0; i < LAYERS.size(); i++) {
      String[] above = LAYERS.subList(i + 1, LAYERS.size()).toArray(String[]::new);
      if (above.length > 0) {
        check(
            noClasses()
                .that()
                .resideInAPackage(LAYERS.get(i))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(above));
      }
    }
  }

  /** Same-package use is no import, so that no picture of packages would show these. */
  @Test
  void noClassesOfTheEngineDependOnEachOtherInACircle() {
    assertThat(Circles.among(CORE, ArchitectureTest::classOfTheEngine, dependency -> true))
        .isEmpty();
  }

  /** Returns the name of a class of the engine, for those that are nested in it too. */
  private static String classOfTheEngine(JavaClass type) {
    return type.getPackageName().startsWith(ENGINE) ? type.getName().replaceFirst("\\$.*", "") : "";
  }

  @Test
  void aCircleIsFound() {
    Map<String, Set<String>> uses =
        Map.of(
            "a",
            Set.of("b"),
            "b",
            Set.of("c"),
            "c",
            Set.of("a", "e"),
            "d",
            Set.of("a"),
            "e",
            Set.of());

    assertThat(Circles.among(uses)).containsOnlyKeys("a", "b", "c");
    assertThat(Circles.among(Map.of("a", Set.of("b"), "b", Set.of("c")))).isEmpty();
  }

  /** They name threads, to tell one from another, but do nothing with them. */
  @Test
  void stateMachinesHaveNoFutureNoExecutorNoLockNoClockAndNoStore() {
    check(
        noClasses()
            .that()
            .resideInAPackage(STATE)
            .should()
            .dependOnClassesThat(
                assignableTo(Future.class)
                    .or(assignableTo(CompletionStage.class))
                    .or(assignableTo(Executor.class))
                    .or(resideInAPackage("java.util.concurrent.locks"))
                    .or(
                        belongToAnyOf(
                            Store.class, TimeSource.class, Scheduler.class, Environment.class))));
    check(
        noClasses()
            .that()
            .resideInAPackage(STATE)
            .should()
            .callMethodWhere(
                DescribedPredicate.describe(
                    "something is done with a thread",
                    call ->
                        call.getTargetOwner().isEquivalentTo(Thread.class)
                            && !ASKED_OF_THREADS.contains(call.getName()))));
  }

  private static final Set<String> ASKED_OF_THREADS = Set.of("getId", "getName", "isAlive");

  @Test
  void ofTheApiOnlyTheBuilderKnowsTheEngine() {
    check(
        noClasses()
            .that()
            .resideInAPackage(API)
            .and(are(not(belongToAnyOf(LockkeeperBuilder.class))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ENGINE + ".."));
  }

  @Test
  void ofTheApiOnlyItsDoorKnowsWhatIsComposed() {
    check(
        noClasses()
            .that()
            .resideInAPackage(API)
            .and()
            .doNotHaveFullyQualifiedName(DOOR)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(COMPOSE));
  }

  @Test
  void whatIsComposedKnowsNeitherTheEngineNorTheStores() {
    check(
        noClasses()
            .that()
            .resideInAPackage(COMPOSE)
            .should()
            .dependOnClassesThat(
                resideInAPackage(ENGINE + "..")
                    .or(
                        resideInAPackage(SPI)
                            .and(
                                not(
                                    belongToAnyOf(
                                        io.lockkeeper.spi.Scheduler.class,
                                        io.lockkeeper.spi.Scheduler.Cancellable.class))))));
  }

  @Test
  void whatIntegrationsShareKnowsTheApiAndTheTextsOfSettings() {
    check(
        noClasses()
            .that()
            .resideInAPackage(INTEGRATION)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ENGINE + "..", COMPOSE, SPI, RULE, RECORD));
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(INTEGRATION)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(INTEGRATION));
  }

  /** What a store throws from {@link io.lockkeeper.spi.StoreFactory#open}. */
  private static final Class<?>[] WHY_NOT_CONNECTED = {
    StoreRefusedException.class, StoreUnavailableException.class
  };

  @Test
  void theRuleAndTheSupportOfStoresKnowOnlyTheSpi() {
    for (String each : new String[] {RULE, SUPPORT}) {
      check(
          noClasses()
              .that()
              .resideInAPackage(each)
              .should()
              .dependOnClassesThat(
                  resideInAPackage("io.lockkeeper..")
                      .and(not(resideInAPackage(SPI)))
                      .and(
                          not(
                              belongToAnyOf(
                                  ResourceKind.class, ClientInfo.class, Quarantine.class)))
                      .and(not(belongToAnyOf(WHY_NOT_CONNECTED)))
                      .and(not(resideInAPackage(each)))));
    }
  }

  @Test
  void theStoreOfRecordsKnowsOnlyTheSpiTheRuleAndWhatTheyReport() {
    check(
        noClasses()
            .that()
            .resideInAPackage(RECORD)
            .should()
            .dependOnClassesThat(
                resideInAPackage("io.lockkeeper..")
                    .and(not(resideInAPackage(SPI)))
                    .and(not(resideInAPackage(SUPPORT)))
                    .and(not(resideInAPackage(RULE)))
                    .and(not(resideInAPackage(RECORD)))
                    .and(
                        not(
                            belongToAnyOf(
                                io.lockkeeper.ClientInfo.class,
                                ResourceKind.class,
                                io.lockkeeper.StoreProblem.class)))));
  }

  @Test
  void theRuleKnowsNeitherThreadsNorClocks() {
    check(noClasses().that().resideInAPackage(RULE).should().dependOnClassesThat(concurrent()));
  }

  private static DescribedPredicate<JavaClass> concurrent() {
    return resideInAPackage("java.util.concurrent..").or(resideInAPackage("java.time.."));
  }

  @Test
  void theSpiDoesNotKnowTheEngine() {
    check(
        noClasses()
            .that()
            .resideInAPackage(SPI)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ENGINE + "..", COMPOSE));
  }

  @Test
  void theSpiKnowsOfTheApiOnlyWhatItReports() {
    check(
        noClasses()
            .that()
            .resideInAPackage(SPI)
            .should()
            .dependOnClassesThat(
                resideInAPackage(API)
                    .and(
                        not(
                            belongToAnyOf(
                                io.lockkeeper.ClientInfo.class,
                                io.lockkeeper.Quarantine.class,
                                ResourceKind.class,
                                io.lockkeeper.StoreProblem.class,
                                io.lockkeeper.StoreRefusedException.class,
                                io.lockkeeper.StoreUnavailableException.class)))));
  }

  @Test
  void ofTheApiOnlyTheBuilderKnowsTheSpi() {
    check(
        noClasses()
            .that()
            .resideInAPackage(API)
            .and(are(not(belongToAnyOf(LockkeeperBuilder.class))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(SPI));
  }

  @Test
  void withoutTheDoorsThereIsNoCycleBetweenPackages() {
    assertThat(Circles.among(CORE, ArchitectureTest::packageOf, it -> !isByADoor(it))).isEmpty();
    assertThat(Circles.among(CORE, ArchitectureTest::packageOf, it -> true))
        .as("with the doors there is one, which shows that they are found")
        .isNotEmpty();
  }

  private static String packageOf(JavaClass type) {
    return type.getPackageName().startsWith(API) ? type.getPackageName() : "";
  }

  /**
   * Lockkeeper.builder() and connect() are the builder's doors; settings in text have durations as
   * URLs have them.
   */
  private static boolean isByADoor(Dependency dependency) {
    JavaClass user = dependency.getOriginClass();
    return user.isEquivalentTo(LockkeeperBuilder.class)
        || user.getName().equals(DOOR)
        || user.getName().equals(SETTINGS)
        || dependency.getTargetClass().isEquivalentTo(LockkeeperBuilder.class);
  }

  @Test
  void theCoreNeedsNothingButTheJdk() {
    check(
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.lockkeeper.YamlFile") // read only if it is asked for
            .should()
            .dependOnClassesThat(
                are(
                    not(
                        resideInAPackage("java..")
                            .or(resideInAPackage("io.lockkeeper.."))
                            .or(resideInAPackage("org.jspecify.annotations"))))));
  }
}
