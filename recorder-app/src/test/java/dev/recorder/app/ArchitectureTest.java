package dev.recorder.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.recorder.app.cli.RecorderCommand;
import dev.recorder.logging.Outage;
import dev.recorder.testing.Forbidden;
import dev.recorder.testing.SimpleNames;
import org.junit.jupiter.api.Test;

/** What may depend on what in the daemon and its command line. */
class ArchitectureTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.recorder.app");

  @Test
  void nothingKnowsTheCommandLine() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.recorder.app.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.recorder.app.cli..")
            .because("commands join configuration, daemon and guard, never the reverse"));
  }

  @Test
  void configurationKnowsNothingElseOfTheApp() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.recorder.app.config..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.recorder.app.cli..",
                "dev.recorder.app.daemon..",
                "dev.recorder.app.guard..",
                "dev.recorder.app.http..",
                "dev.recorder.app.logs..",
                "dev.recorder.app.metrics..",
                "dev.recorder.app.page..")
            .because("everything else may read the configuration"));
  }

  @Test
  void onlyOnePackageKnowsWhatWritesTheLog() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.recorder.app.logs..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("ch.qos.logback..")
            .because("everybody else logs through SLF4J"));
  }

  @Test
  void sqlStandsInTheLibrary() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..")
            .because("the library has each statement in the wing that it serves"));
  }

  @Test
  void packagesHaveNoCycles() {
    check(slices().matching("dev.recorder.app.(*)..").should().beFreeOfCycles());
  }

  @Test
  void onlyTheMainClassEndsTheProcess() {
    check(
        noClasses()
            .that()
            .doNotBelongToAnyOf(RecorderCommand.class)
            .should()
            .accessTargetWhere(Forbidden.processExits())
            .because("a command returns its exit code"));
  }

  @Test
  void clocksSleepsAndThreadsComeFromTheLibrary() {
    check(
        noClasses()
            .should()
            .accessTargetWhere(Forbidden.clockReadsSleepsAndThreads())
            .because("dev.recorder.time has them, so that tests drive time by hand"));
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

  /** Neither among themselves nor with the library's. */
  @Test
  void noTwoTypesShareASimpleName() {
    JavaClasses all =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.recorder");
    assertThat(all.contain(Outage.class)).isTrue();
    assertThat(SimpleNames.ofSeveral(all)).isEmpty();
  }

  private static void check(ArchRule rule) {
    rule.check(MAIN);
  }
}
