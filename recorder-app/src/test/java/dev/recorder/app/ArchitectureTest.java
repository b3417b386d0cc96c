package dev.recorder.app;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.recorder.logging.OutageLog;
import dev.recorder.testing.BrokenRules;
import dev.recorder.testing.Floors;
import dev.recorder.testing.SimpleNames;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The daemon and the command line keep each {@link Rule}, and each reports what breaks it. */
class ArchitectureTest {
  private static final String ROOT = "dev.recorder.app";
  private static final String BROKEN_ROOT = "dev.recorder.app.architecture.broken";

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  private static final BrokenRules BROKEN = new BrokenRules(BROKEN_ROOT);

  @ParameterizedTest
  @EnumSource
  void theAppKeeps(Rule rule) {
    rule.in(ROOT).check(MAIN);
  }

  @Test
  void testsUseBuildersToo() {
    JavaClasses all = new ClassFileImporter().importPackages(ROOT);

    Rule.BUILT_RECORDS_ARE_MADE_BY_THEIR_BUILDERS
        .in(ROOT)
        .check(all.that(not(resideInAPackage(BROKEN_ROOT + ".."))));
  }

  @ParameterizedTest
  @EnumSource
  void whatBreaksItIsReported(Rule rule) {
    BROKEN.assertReported(rule.in(BROKEN_ROOT), rule.name());
  }

  @Test
  void noClassBreaksWhatIsNoRule() {
    assertThat(BROKEN.names())
        .isEqualTo(Stream.of(Rule.values()).map(Enum::name).collect(Collectors.toSet()));
  }

  @Test
  void whatIsDrawnIsThere() throws IOException {
    Floors floors = Floors.of("recorder-app");

    assertThat(floors.names())
        .isEqualTo(
            MAIN.stream()
                .map(type -> Floors.nameOf(type, ROOT))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet()));
  }

  /** Neither among themselves nor with the library's. */
  @Test
  void noTwoTypesShareASimpleName() {
    JavaClasses all =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.recorder");
    assertThat(all.contain(OutageLog.class)).isTrue();
    assertThat(SimpleNames.ofSeveral(all)).isEmpty();
  }
}
