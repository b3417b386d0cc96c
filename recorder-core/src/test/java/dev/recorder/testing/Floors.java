package dev.recorder.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The floors on which {@code docs/architecture.md} draws a module's packages: each may know what
 * stands on a lower floor, and of the wings none knows another.
 */
public final class Floors {
  private static final Path DRAWING = Path.of("..", "docs", "architecture.md");
  private static final Pattern BLOCK = Pattern.compile("(?s)\n```\n(.*?)\n```\n");
  private static final Pattern MODULE = Pattern.compile(" ([a-z-]+)  .*");
  private static final Pattern NAME = Pattern.compile("[a-z0-9]+");
  private static final String WINGS = "two wings";

  /** The highest has number 0. */
  private final Map<String, Integer> floors = new HashMap<>();

  private final Set<String> wings = new HashSet<>();

  private Floors() {}

  /** Those of {@code module}. */
  public static Floors of(String module) throws IOException {
    Matcher block = BLOCK.matcher(Files.readString(DRAWING));
    if (!block.find()) {
      throw new IllegalStateException(DRAWING + " has no drawing");
    }
    Floors drawn = new Floors();
    String within = "";
    int floor = 0;
    for (String line : block.group(1).lines().toList()) {
      Matcher begins = MODULE.matcher(line);
      if (begins.matches()) {
        within = begins.group(1);
      }
      if (within.equals(module)) {
        drawn.add(line.substring(begins.matches() ? begins.end(1) : 0), floor++);
      }
    }
    return drawn;
  }

  private void add(String line, int floor) {
    List<String> names =
        List.of(line.strip().split(" {2,}")).stream().filter(NAME.asMatchPredicate()).toList();
    for (String name : names) {
      if (floors.put(name, floor) != null) {
        throw new IllegalStateException(name + " is drawn twice");
      }
    }
    if (line.contains(WINGS)) {
      wings.addAll(names);
    }
  }

  /** What is drawn. */
  public Set<String> names() {
    return Set.copyOf(floors.keySet());
  }

  public Set<String> wings() {
    return Set.copyOf(wings);
  }

  /** The package of a class that a floor has, empty for one outside of {@code root}. */
  public static String nameOf(JavaClass type, String root) {
    String within = type.getPackageName();
    return within.startsWith(root + ".")
        ? within.substring(root.length() + 1).replaceFirst("\\..*", "")
        : "";
  }

  /** The rule for the packages below {@code root}. */
  public ArchRule rule(String root) {
    return classes()
        .that()
        .resideInAPackage(root + ".*..")
        .should(
            new ArchCondition<JavaClass>("know only what is drawn below them") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                  String fault =
                      fault(nameOf(type, root), nameOf(dependency.getTargetClass(), root));
                  if (!fault.isEmpty()) {
                    events.add(
                        SimpleConditionEvent.violated(
                            dependency, fault + ": " + dependency.getDescription()));
                  }
                }
              }
            })
        .because("docs/architecture.md draws it so");
  }

  private String fault(String from, String to) {
    if (to.isEmpty() || to.equals(from)) {
      return "";
    } else if (!floors.containsKey(from) || !floors.containsKey(to)) {
      return "not drawn is " + (floors.containsKey(from) ? to : from);
    } else if (wings.contains(from) && wings.contains(to)) {
      return "wing " + from + " knows wing " + to;
    }
    return floors.get(to) > floors.get(from) ? "" : from + " knows " + to + ", not below it";
  }
}
