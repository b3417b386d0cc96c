package dev.recorder.testing;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Calendar;
import java.util.Date;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/**
 * Calls that the architecture forbids. They match method references too, which ArchUnit's {@code
 * callMethod} overlooks.
 */
public final class Forbidden {
  private static final Set<String> TOLD = Set.of("info", "warn", "error");
  private static final Set<String> FLUENT =
      Set.of("atInfo", "atWarn", "atError", "atLevel", "makeLoggingEventBuilder");

  private Forbidden() {}

  public static DescribedPredicate<JavaAccess<?>> clockReadsSleepsAndThreads() {
    return describe(
        "reads a clock, sleeps or makes a thread",
        access ->
            is(access, System.class, "nanoTime")
                || is(access, System.class, "currentTimeMillis")
                || is(access, TimeUnit.class, "sleep")
                || is(access, Thread.class, "sleep")
                || is(access, Thread.class, "<init>")
                || readsJavaTime(access.getTarget()));
  }

  /** Also those that somebody else has read, or injected. */
  public static DescribedPredicate<JavaAccess<?>> wallClocks() {
    return describe(
        "knows a wall clock",
        access ->
            access.getTargetOwner().isAssignableTo(InstantSource.class)
                || access.getTargetOwner().isAssignableTo(Calendar.class)
                || isNow(access)
                || is(access, System.class, "currentTimeMillis")
                || readsJavaTime(access.getTarget()));
  }

  private static boolean isNow(JavaAccess<?> access) {
    return access.getTarget().getFullName().equals(Date.class.getName() + ".<init>()");
  }

  /** Of records that have a builder: nobody counts arguments of a dozen parameters. */
  public static DescribedPredicate<JavaAccess<?>> constructorsBesideBuilders() {
    return describe(
        "calls the constructor of a record that has a builder",
        access ->
            access.getName().equals("<init>")
                && hasBuilder(access.getTargetOwner())
                && !outermost(access.getOriginOwner()).equals(access.getTargetOwner().getName()));
  }

  private static boolean hasBuilder(JavaClass type) {
    return type.isRecord()
        && type.getPackageName().startsWith("dev.recorder")
        && Stream.of(type.reflect().getDeclaredClasses())
            .anyMatch(nested -> nested.getSimpleName().equals("Builder"));
  }

  private static String outermost(JavaClass type) {
    return type.getName().replaceFirst("\\$.*", "");
  }

  public static DescribedPredicate<JavaAccess<?>> processExits() {
    return describe("ends the process", access -> is(access, System.class, "exit"));
  }

  public static DescribedPredicate<JavaAccess<?>> printedStackTraces() {
    return describe(
        "prints a stack trace", access -> is(access, Throwable.class, "printStackTrace"));
  }

  /** Programs read the log by events: without one a line is found by its words alone. */
  public static DescribedPredicate<JavaAccess<?>> linesWithoutEvent() {
    return describe(
        "logs at INFO or above and names no event",
        access ->
            is(access, MarkerFactory.class, "getMarker")
                || (access.getTargetOwner().isAssignableTo(Logger.class)
                    && (FLUENT.contains(access.getName())
                        || (TOLD.contains(access.getName()) && !isMarked(access)))));
  }

  private static boolean isMarked(JavaAccess<?> access) {
    return access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget method
        && method.getRawParameterTypes().get(0).isEquivalentTo(Marker.class);
  }

  private static boolean readsJavaTime(AccessTarget target) {
    boolean isClock = target.getOwner().isEquivalentTo(Clock.class);
    return target.getOwner().getPackageName().equals("java.time")
        && (target.getName().equals("now") || (isClock && target.getName().startsWith("system")));
  }

  private static boolean is(JavaAccess<?> access, Class<?> owner, String member) {
    return access.getTarget().getName().equals(member)
        && access.getTargetOwner().isAssignableTo(owner);
  }
}
