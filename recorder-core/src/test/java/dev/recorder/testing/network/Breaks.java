package dev.recorder.testing.network;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a class that is there to be reported by a rule of the architecture. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Breaks {
  /** The rule's constant. */
  String value();
}
