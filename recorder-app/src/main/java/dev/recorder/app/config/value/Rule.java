package dev.recorder.app.config.value;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a setting's value may be, in a form that a finding can quote. */
public interface Rule<T> {
  /** What is wrong with the value, to stand behind "{@code key = value}"; null when nothing is. */
  @Nullable String fault(T value);

  /** What may be written, to stand behind "write". */
  String allowed();

  /** Any value that has the type. */
  record Any<T>(String allowed) implements Rule<T> {
    @Override
    public @Nullable String fault(T value) {
      return null;
    }
  }

  /** From a least to a greatest value, both included. */
  record Between<T extends Comparable<T>>(T least, T greatest, String allowed) implements Rule<T> {
    @Override
    public @Nullable String fault(T value) {
      boolean inside = value.compareTo(least) >= 0 && value.compareTo(greatest) <= 0;
      return inside ? null : "is out of range";
    }
  }

  /** Text of a given form. */
  record Matching(Pattern form, String fault, String allowed) implements Rule<String> {
    @Override
    public @Nullable String fault(String value) {
      return form.matcher(value).matches() ? null : fault;
    }
  }
}
