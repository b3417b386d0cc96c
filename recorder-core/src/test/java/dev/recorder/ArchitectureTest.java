package dev.recorder;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameStartingWith;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.recorder.testing.Forbidden;
import dev.recorder.testing.SimpleNames;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What may depend on what in the library. */
class ArchitectureTest {
  private static final String[] LOGIC = {
    "dev.recorder.leadership",
    "dev.recorder.slotlog",
    "dev.recorder.handoff",
    "dev.recorder.requests",
    "dev.recorder.requests.document",
    "dev.recorder.audit",
    "dev.recorder.clearing",
    "dev.recorder.replay"
  };

  /** Where SQL may stand: in the wing that it serves, and in what serves them all. */
  private static final String[] SQL = {
    "dev.recorder.postgres..",
    "dev.recorder.schema",
    "dev.recorder.leadership.postgres",
    "dev.recorder.slotlog.postgres",
    "dev.recorder.requests.postgres",
    "dev.recorder.lock.postgres",
    "dev.recorder.audit.postgres",
    "dev.recorder.clearing.postgres",
    "dev.recorder.capture.postgres",
    "dev.recorder.producer.postgres",
    "dev.recorder.replay.postgres",
    "dev.recorder.operate"
  };

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.recorder");

  @Test
  void logicKnowsNoDatabaseNoStoreNoNetwork() {
    mustNotKnow(
        resideInAnyPackage(LOGIC),
        resideInAnyPackage(
            "java.sql..", "javax.sql..", "org.postgresql..", "software.amazon..", "java.net.."),
        "the simulator, the model test and production run the same decisions");
  }

  @Test
  void logicKnowsNoThreadsAndNoLocks() {
    mustNotKnow(
        resideInAnyPackage(LOGIC),
        resideInAPackage("java.util.concurrent.locks..")
            .or(assignableTo(Executor.class))
            .or(assignableTo(CompletableFuture.class))
            .or(assignableTo(Thread.class)),
        "whoever calls a decision decides on which thread");
  }

  @Test
  void logicKnowsNoAdapterAndNoWorker() {
    mustNotKnow(
        resideInAnyPackage(LOGIC),
        resideInAnyPackage(and(SQL, "dev.recorder.s3..", "dev.recorder.machine..")),
        "adapters depend on logic, never the reverse");
  }

  @Test
  void sqlStandsInTheWingThatItServes() {
    mustNotKnow(
        resideOutsideOfPackages(SQL),
        resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql.."),
        "a change of the protocol touches its wing, and nothing else");
  }

  /** All of them may be looked at by {@code audit}, {@code operate} and {@code schema}. */
  @Test
  void noWingKnowsAnother() {
    List<String> wings = List.of("leadership", "slotlog", "requests", "lock");
    for (String wing : wings) {
      String[] others =
          Stream.concat(wings.stream(), Stream.of("audit", "clearing", "operate", "machine"))
              .filter(other -> !other.equals(wing))
              .map(other -> "dev.recorder." + other + "..")
              .toArray(String[]::new);
      mustNotKnow(
          resideInAPackage("dev.recorder." + wing + ".."),
          resideInAnyPackage(others),
          "what two wings need lies below both");
    }
  }

  @Test
  void figuresKnowNobody() {
    mustNotKnow(
        resideInAPackage("dev.recorder.metrics"),
        resideInAPackage("dev.recorder..")
            .and(resideOutsideOfPackages("dev.recorder.metrics", "dev.recorder.time")),
        "who does the work writes down what was done");
  }

  @Test
  void whatAllWingsShareKnowsNone() {
    mustNotKnow(
        resideInAPackage("dev.recorder.postgres.."),
        resideInAnyPackage(
            "dev.recorder.leadership..",
            "dev.recorder.slotlog..",
            "dev.recorder.requests..",
            "dev.recorder.lock..",
            "dev.recorder.audit..",
            "dev.recorder.schema..",
            "dev.recorder.operate.."),
        "sessions, transactions and failures are the same whoever uses them");
  }

  @Test
  void howStatementsAreWrittenKnowsNoSession() {
    mustNotKnow(
        resideInAPackage("dev.recorder.postgres.sql"),
        resideInAnyPackage("dev.recorder.postgres", "dev.recorder.postgres.holders"),
        "a statement is written before anybody knows where it runs");
  }

  @Test
  void adaptersKnowNoWorker() {
    mustNotKnow(
        resideInAnyPackage(and(SQL, "dev.recorder.s3..")),
        resideInAPackage("dev.recorder.machine.."),
        "the workers join the adapters");
  }

  @Test
  void handlersKnowRequestsAndNeitherDatabaseNorStoreNorMachine() {
    mustNotKnow(
        resideInAPackage("dev.recorder.requests.handlers.."),
        resideInAnyPackage(
            "java.sql..",
            "org.postgresql..",
            "software.amazon..",
            "dev.recorder.postgres..",
            "dev.recorder.requests.postgres..",
            "dev.recorder.schema..",
            "dev.recorder.s3..",
            "dev.recorder.store..",
            "dev.recorder.slotlog..",
            "dev.recorder.leadership..",
            "dev.recorder.machine.."),
        "when a unit is claimed, settled or tried again is not a handler's affair");
  }

  @Test
  void onlyHandlersRunPrograms() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.recorder.requests.handlers..")
            .should()
            .dependOnClassesThat(assignableTo(ProcessBuilder.class))
            .orShould()
            .callMethodWhere(
                target(owner(assignableTo(Runtime.class))).and(target(nameStartingWith("exec"))))
            .because("a program must not outlive what it was started for, and that takes care"));
  }

  @Test
  void onlyTheTimePackageReadsAClockSleepsOrMakesThreads() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.recorder.time..")
            .should()
            .accessTargetWhere(Forbidden.clockReadsSleepsAndThreads())
            .because("time is injected, so that tests drive it by hand"));
  }

  @Test
  void locksKnowNoWallClock() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.recorder.lock..")
            .should()
            .accessTargetWhere(Forbidden.wallClocks())
            .because("a clock that jumps must give a lock to nobody, and take it from nobody"));
  }

  @Test
  void packagesHaveNoCycles() {
    check(slices().matching("dev.recorder.(*)..").should().beFreeOfCycles());
  }

  @Test
  void packagesOfAWingHaveNoCycles() {
    check(slices().matching("dev.recorder.(**)").should().beFreeOfCycles());
  }

  @Test
  void aLibraryNeverEndsTheProcess() {
    check(noClasses().should().accessTargetWhere(Forbidden.processExits()));
  }

  @Test
  void failuresAreLoggedOrThrownNeverPrinted() {
    check(noClasses().should().accessTargetWhere(Forbidden.printedStackTraces()));
  }

  @Test
  void everyLineFromInfoOnNamesItsEvent() {
    check(
        noClasses()
            .should()
            .accessTargetWhere(Forbidden.linesWithoutEvent())
            .because("programs read the log by events, which docs/logs.md lists"));
  }

  @Test
  void noTwoTypesShareASimpleName() {
    assertThat(SimpleNames.ofSeveral(MAIN)).isEmpty();
  }

  private static String[] and(String[] packages, String... more) {
    return Stream.concat(Stream.of(packages), Stream.of(more)).toArray(String[]::new);
  }

  private static void mustNotKnow(
      DescribedPredicate<JavaClass> those, DescribedPredicate<JavaClass> these, String because) {
    check(noClasses().that(those).should().dependOnClassesThat(these).because(because));
  }

  private static void check(ArchRule rule) {
    rule.check(MAIN);
  }
}
