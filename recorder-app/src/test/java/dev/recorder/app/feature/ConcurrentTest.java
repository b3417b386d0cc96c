package dev.recorder.app.feature;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A test that may run at the same time as others of its class: one that mostly waits, and whose
 * deadlines are no matter of milliseconds.
 */
@Test
@Execution(ExecutionMode.CONCURRENT)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface ConcurrentTest {}
