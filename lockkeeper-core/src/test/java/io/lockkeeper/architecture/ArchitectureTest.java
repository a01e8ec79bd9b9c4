package io.lockkeeper.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.ClassesShouldConjunction;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.TimeSource;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What may depend on what in the core, and what the engine keeps its hands off. */
class ArchitectureTest {

  private static final String API = "io.lockkeeper";
  private static final String SPI = "io.lockkeeper.spi";
  private static final String RULE = "io.lockkeeper.spi.rule";
  private static final String RECORD = "io.lockkeeper.spi.record";
  private static final String SUPPORT = "io.lockkeeper.spi.support";
  private static final String ENGINE = "io.lockkeeper.engine";
  private static final String COMPOSE = "io.lockkeeper.compose";
  private static final String DOOR = API + ".Composition";
  private static final String CLOCK = ENGINE + ".runtime.SuspendAwareClock";

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
        .containsExactlyInAnyOrder(API, SPI, RULE, RECORD, SUPPORT, COMPOSE);
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
    check(slices().assignedFrom(CLASSES_OF_THE_ENGINE).should().beFreeOfCycles());
  }

  /** Each class of the engine with those that are nested in it. */
  private static final SliceAssignment CLASSES_OF_THE_ENGINE =
      new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
          return type.getPackageName().startsWith(ENGINE)
              ? SliceIdentifier.of(type.getName().replaceFirst("\\$.*", ""))
              : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
          return "classes of the engine";
        }
      };

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
                    .and(not(resideInAPackage(RULE)))
                    .and(not(resideInAPackage(RECORD)))
                    .and(
                        not(
                            belongToAnyOf(
                                io.lockkeeper.ClientInfo.class,
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
    check(
        slices()
            .matching("io.(lockkeeper..)")
            .should()
            .beFreeOfCycles()
            .ignoreDependency(
                DescribedPredicate.describe(
                    "the doors",
                    type ->
                        type.isEquivalentTo(LockkeeperBuilder.class)
                            || type.getName().equals(DOOR)),
                DescribedPredicate.alwaysTrue())
            // Lockkeeper.builder() and connect() are the builder's doors.
            .ignoreDependency(
                DescribedPredicate.alwaysTrue(),
                DescribedPredicate.describe(
                    "the builder", type -> type.isEquivalentTo(LockkeeperBuilder.class))));
  }

  @Test
  void theCoreNeedsNothingButTheJdk() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat(
                are(
                    not(
                        resideInAPackage("java..")
                            .or(resideInAPackage("io.lockkeeper.."))
                            .or(resideInAPackage("org.jspecify.annotations"))))));
  }

  // ------------------------------------------------------------- time, threads, randomness

  /** The calls that no class of the engine makes, by what is wrong with them. */
  private static ClassesShouldConjunction nobodyCalls(Class<?> owner, String method) {
    return noClasses().should().accessTargetWhere(target(owner, method));
  }

  /** Calls of a method and references to it. */
  private static DescribedPredicate<JavaAccess<?>> target(Class<?> owner, String method) {
    return DescribedPredicate.describe(
        owner.getSimpleName() + "." + method,
        access -> access.getTargetOwner().isEquivalentTo(owner) && access.getName().equals(method));
  }

  @Test
  void onlyTheClockReadsTheMachinesClocks() {
    for (String method : new String[] {"currentTimeMillis", "nanoTime"}) {
      check(
          noClasses()
              .that()
              .doNotHaveFullyQualifiedName(CLOCK)
              .should()
              .accessTargetWhere(target(System.class, method)));
    }
    check(noClasses().should().dependOnClassesThat().areAssignableTo(Clock.class));
    check(noClasses().should().dependOnClassesThat().areAssignableTo(Instant.class));
  }

  @Test
  void nobodySleeps() {
    check(nobodyCalls(Thread.class, "sleep"));
  }

  @Test
  void nobodyUsesTheCommonPoolOrATimerThread() {
    check(noClasses().should().dependOnClassesThat().areAssignableTo(ForkJoinPool.class));
    check(noClasses().should().dependOnClassesThat().areAssignableTo(Timer.class));
    check(noClasses().should().dependOnClassesThat().areAssignableTo(Executors.class));
    check(nobodyCalls(CompletableFuture.class, "orTimeout"));
    check(nobodyCalls(CompletableFuture.class, "completeOnTimeout"));
    check(nobodyCalls(CompletableFuture.class, "delayedExecutor"));
  }

  @Test
  void whatRunsAsynchronouslySaysOnWhichExecutor() {
    check(
        noClasses()
            .should()
            .callMethodWhere(
                DescribedPredicate.describe(
                    "an Async method of a future without an executor",
                    call ->
                        call.getTarget().getOwner().isAssignableTo(CompletionStage.class)
                            && call.getTarget().getName().endsWith("Async")
                            && call.getTarget().getRawParameterTypes().stream()
                                .noneMatch(
                                    type ->
                                        type.isEquivalentTo(
                                            java.util.concurrent.Executor.class)))));
  }

  @Test
  void randomnessIsInjected() {
    check(
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName(ENGINE + ".runtime.SystemEnvironment")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(java.util.Random.class));
    check(noClasses().should().dependOnClassesThat().areAssignableTo(ThreadLocalRandom.class));
    check(nobodyCalls(Math.class, "random"));
  }

  @Test
  void noMethodIsSynchronized() {
    // Before JDK 24 a virtual thread that blocks in one pins its carrier.
    check(noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED));
    check(nobodyCalls(Object.class, "wait"));
    check(nobodyCalls(Object.class, "notifyAll"));
  }

  @Test
  void nothingThatChangesIsStatic() {
    check(noFields().that().areStatic().should().notBeFinal());
    check(noFields().that().areStatic().should().haveRawType(AtomicReference.class));
  }

  @Test
  void nobodyPrints() {
    check(noClasses().should().accessField(System.class, "out"));
    check(noClasses().should().accessField(System.class, "err"));
    check(nobodyCalls(Throwable.class, "printStackTrace"));
  }
}
