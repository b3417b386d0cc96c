package dev.recorder;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameStartingWith;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import dev.recorder.testing.Floors;
import dev.recorder.testing.Forbidden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** What may depend on what in the library. */
enum Rule {
  EACH_KNOWS_ONLY_WHAT_IS_DRAWN_BELOW_IT(
      packages -> {
        try {
          return Floors.of("recorder-core").rule(packages.root());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }),

  LOGIC_KNOWS_NO_DATABASE_NO_STORE_NO_NETWORK(
      packages ->
          mustNotKnow(
              packages.logic(),
              resideInAnyPackage(
                  "java.sql..",
                  "javax.sql..",
                  "org.postgresql..",
                  "software.amazon..",
                  "java.net.."),
              "the simulator, the model test and production run the same decisions")),

  LOGIC_KNOWS_NO_THREADS_AND_NO_LOCKS(
      packages ->
          mustNotKnow(
              packages.logic(),
              resideInAPackage("java.util.concurrent.locks..")
                  .or(assignableTo(Executor.class))
                  .or(assignableTo(CompletableFuture.class))
                  .or(assignableTo(Thread.class)),
              "whoever calls a decision decides on which thread")),

  LOGIC_KNOWS_NO_ADAPTER_AND_NO_WORKER(
      packages ->
          mustNotKnow(
              packages.logic(),
              packages.sql().or(packages.in("s3..", "machine..")),
              "adapters depend on logic, never the reverse")),

  SQL_STANDS_IN_THE_WING_THAT_IT_SERVES(
      packages ->
          mustNotKnow(
              packages.in("..").and(not(packages.sql())),
              resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql.."),
              "a change of the protocol touches its wing, and nothing else")),

  FIGURES_KNOW_NOBODY(
      packages ->
          mustNotKnow(
              packages.in("metrics"),
              packages.in("..").and(not(packages.in("metrics", "time"))),
              "who does the work writes down what was done")),

  HOW_STATEMENTS_ARE_WRITTEN_KNOWS_NO_SESSION(
      packages ->
          mustNotKnow(
              packages.in("postgres.sql"),
              packages.in("postgres", "postgres.holders", "postgres.socket"),
              "a statement is written before anybody knows where it runs")),

  WHAT_IS_CAPTURED_KNOWS_NO_SQL(
      packages ->
          mustNotKnow(
              packages.in("capture"),
              packages.in("capture.script", "capture.postgres.."),
              "what is to be captured is said before anybody writes it down as SQL")),

  SCRIPTS_OF_CAPTURES_KNOW_NO_SESSION(
      packages ->
          mustNotKnow(
              packages.in("capture.script"),
              packages.in("postgres", "capture.postgres.."),
              "a script is printed for others as well as run")),

  SOCKETS_KNOW_NO_SESSION_AND_NO_STATEMENT(
      packages ->
          mustNotKnow(
              packages.in("postgres.socket"),
              packages.in("postgres", "postgres.holders", "postgres.sql"),
              "bytes are read whatever they mean")),

  HANDLERS_KNOW_REQUESTS_AND_NEITHER_DATABASE_NOR_STORE_NOR_MACHINE(
      packages ->
          mustNotKnow(
              packages.in("requests.handlers.."),
              resideInAnyPackage("java.sql..", "org.postgresql..", "software.amazon..")
                  .or(
                      packages.in(
                          "postgres..",
                          "requests.postgres..",
                          "schema..",
                          "s3..",
                          "store..",
                          "slotlog..",
                          "leadership..",
                          "machine..")),
              "when a unit is claimed, settled or tried again is not a handler's affair")),

  THE_LIBRARY_OF_FILES_STANDS_IN_ITS_PACKAGE(
      packages ->
          mustNotKnow(
              packages.in("..").and(not(packages.in("table.parquet"))),
              resideInAnyPackage("org.apache.parquet..", "org.apache.hadoop.."),
              "who wants no table needs no such library")),

  ONLY_HANDLERS_RUN_PROGRAMS(
      packages ->
          noClasses()
              .that(not(packages.in("requests.handlers..")))
              .should()
              .dependOnClassesThat(assignableTo(ProcessBuilder.class))
              .orShould()
              .callMethodWhere(
                  target(owner(assignableTo(Runtime.class))).and(target(nameStartingWith("exec"))))
              .because("a program must not outlive what it was started for, and that takes care")),

  ONLY_THE_TIME_PACKAGE_READS_A_CLOCK_SLEEPS_OR_MAKES_THREADS(
      packages ->
          noClasses()
              .that(not(packages.in("time..")))
              .should()
              .accessTargetWhere(Forbidden.clockReadsSleepsAndThreads())
              .because("time is injected, so that tests drive it by hand")),

  LOCKS_KNOW_NO_WALL_CLOCK(
      packages ->
          noClasses()
              .that(packages.in("lock.."))
              .should()
              .accessTargetWhere(Forbidden.wallClocks())
              .because("a clock that jumps must give a lock to nobody, and take it from nobody")),

  KINDS_OF_LOCK_DO_NOT_KNOW_EACH_OTHER(
      packages -> slices().matching(packages.name("lock.(*)..")).should().notDependOnEachOther()),

  PACKAGES_HAVE_NO_CYCLES(
      packages -> slices().matching(packages.name("(*)..")).should().beFreeOfCycles()),

  PACKAGES_OF_A_WING_HAVE_NO_CYCLES(
      packages -> slices().matching(packages.name("(**)")).should().beFreeOfCycles()),

  A_LIBRARY_NEVER_ENDS_THE_PROCESS(
      packages -> noClasses().should().accessTargetWhere(Forbidden.processExits())),

  BUILT_RECORDS_ARE_MADE_BY_THEIR_BUILDERS(
      packages ->
          noClasses()
              .should()
              .accessTargetWhere(Forbidden.constructorsBesideBuilders())
              .because("nobody counts which of a dozen arguments is which")),

  FAILURES_ARE_LOGGED_OR_THROWN_NEVER_PRINTED(
      packages -> noClasses().should().accessTargetWhere(Forbidden.printedStackTraces())),

  EVERY_LINE_FROM_INFO_ON_NAMES_ITS_EVENT(
      packages ->
          noClasses()
              .should()
              .accessTargetWhere(Forbidden.linesWithoutEvent())
              .because("programs read the log by events, which docs/logs.md lists"));

  @SuppressWarnings("ImmutableEnumChecker") // lambdas that capture nothing
  private final Function<Packages, ArchRule> rule;

  Rule(Function<Packages, ArchRule> rule) {
    this.rule = rule;
  }

  ArchRule in(String root) {
    return rule.apply(new Packages(root));
  }

  private static ArchRule mustNotKnow(
      DescribedPredicate<JavaClass> those, DescribedPredicate<JavaClass> these, String because) {
    return noClasses().that(those).should().dependOnClassesThat(these).because(because);
  }
}
