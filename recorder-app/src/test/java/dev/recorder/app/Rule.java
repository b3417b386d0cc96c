package dev.recorder.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.lang.ArchRule;
import dev.recorder.app.cli.RecorderCommand;
import dev.recorder.testing.Floors;
import dev.recorder.testing.Forbidden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Function;

/** What may depend on what in the daemon and its command line. */
enum Rule {
  EACH_KNOWS_ONLY_WHAT_IS_DRAWN_BELOW_IT(
      root -> {
        try {
          return Floors.of("recorder-app").rule(root);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }),

  ONLY_ONE_PACKAGE_KNOWS_WHAT_WRITES_THE_LOG(
      root ->
          noClasses()
              .that()
              .resideOutsideOfPackage(root + ".logs..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("ch.qos.logback..")
              .because("everybody else logs through SLF4J")),

  SQL_STANDS_IN_THE_LIBRARY(
      root ->
          noClasses()
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..")
              .because("the library has each statement in the wing that it serves")),

  PACKAGES_HAVE_NO_CYCLES(root -> slices().matching(root + ".(**)").should().beFreeOfCycles()),

  ONLY_THE_MAIN_CLASS_ENDS_THE_PROCESS(
      root ->
          noClasses()
              .that()
              .doNotBelongToAnyOf(RecorderCommand.class)
              .should()
              .accessTargetWhere(Forbidden.processExits())
              .because("a command returns its exit code")),

  CLOCKS_SLEEPS_AND_THREADS_COME_FROM_THE_LIBRARY(
      root ->
          noClasses()
              .should()
              .accessTargetWhere(Forbidden.clockReadsSleepsAndThreads())
              .because("dev.recorder.time has them, so that tests drive time by hand")),

  BUILT_RECORDS_ARE_MADE_BY_THEIR_BUILDERS(
      root ->
          noClasses()
              .should()
              .accessTargetWhere(Forbidden.constructorsBesideBuilders())
              .because("nobody counts which of a dozen arguments is which")),

  FAILURES_ARE_LOGGED_OR_THROWN_NEVER_PRINTED(
      root -> noClasses().should().accessTargetWhere(Forbidden.printedStackTraces())),

  EVERY_LINE_FROM_INFO_ON_NAMES_ITS_EVENT(
      root ->
          noClasses()
              .should()
              .accessTargetWhere(Forbidden.linesWithoutEvent())
              .because("programs read the log by events, which docs/logs.md lists"));

  @SuppressWarnings("ImmutableEnumChecker") // lambdas that capture nothing
  private final Function<String, ArchRule> rule;

  Rule(Function<String, ArchRule> rule) {
    this.rule = rule;
  }

  ArchRule in(String root) {
    return rule.apply(root);
  }
}
