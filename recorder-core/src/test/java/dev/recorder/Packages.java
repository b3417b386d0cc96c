package dev.recorder;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.stream.Stream;

/** The library's packages, or those of the classes that break its rules. */
record Packages(String root) {
  private static final String[] LOGIC = {
    "leadership",
    "slotlog",
    "handoff",
    "requests",
    "requests.document",
    "audit",
    "audit.objects",
    "audit.documents",
    "audit.schedule",
    "clearing",
    "replay"
  };

  /** Where SQL may stand: in the wing that it serves, and in what serves them all. */
  private static final String[] SQL = {
    "postgres..",
    "schema",
    "leadership.postgres",
    "slotlog.postgres",
    "requests.postgres",
    "lock.postgres",
    "lock.postgres.tasks",
    "audit.postgres",
    "clearing.postgres",
    "capture.postgres..",
    "producer.postgres",
    "replay.postgres",
    "operate",
    "operate.orders",
    "operate.site",
    "operate.rebase"
  };

  DescribedPredicate<JavaClass> logic() {
    return in(LOGIC);
  }

  DescribedPredicate<JavaClass> sql() {
    return in(SQL);
  }

  DescribedPredicate<JavaClass> in(String... names) {
    return resideInAnyPackage(Stream.of(names).map(this::name).toArray(String[]::new));
  }

  String name(String within) {
    return within.startsWith("..") ? root + within : root + "." + within;
  }
}
