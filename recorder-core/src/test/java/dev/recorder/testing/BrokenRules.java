package dev.recorder.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.recorder.testing.network.Breaks;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Classes that break rules, so that each rule is seen to fail. */
public final class BrokenRules {
  private final JavaClasses classes;

  /** Those below {@code root}. */
  public BrokenRules(String root) {
    this.classes = new ClassFileImporter().importPackages(root);
  }

  public JavaClasses classes() {
    return classes;
  }

  /** The rules that are broken, by their constants. */
  public Set<String> names() {
    return classes.stream()
        .filter(type -> type.isAnnotatedWith(Breaks.class))
        .map(BrokenRules::broken)
        .collect(Collectors.toSet());
  }

  /** Fails unless {@code rule} reports each class that breaks it. */
  public void assertReported(ArchRule rule, String name) {
    List<String> breaking =
        classes.stream()
            .filter(type -> type.isAnnotatedWith(Breaks.class) && broken(type).equals(name))
            .map(JavaClass::getName)
            .toList();
    String report = String.join("\n", rule.evaluate(classes).getFailureReport().getDetails());
    assertThat(breaking).as("classes that break %s", name).isNotEmpty();
    assertThat(report).contains(breaking);
  }

  private static String broken(JavaClass type) {
    return type.getAnnotationOfType(Breaks.class).value();
  }
}
