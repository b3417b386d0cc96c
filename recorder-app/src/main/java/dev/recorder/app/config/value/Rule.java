package dev.recorder.app.config.value;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A constraint on a setting's value, with words for findings. */
public interface Rule<T> {
  /** Returns the fault, as words that follow "{@code key = value}"; null if there is none. */
  @Nullable String fault(T value);

  /** Returns the allowed values, as words that follow "write". */
  String allowed();

  record Any<T>(String allowed) implements Rule<T> {
    @Override
    public @Nullable String fault(T value) {
      return null;
    }
  }

  /** Limits a value to a range that includes both limits. */
  record Between<T extends Comparable<T>>(T least, T greatest, String allowed) implements Rule<T> {
    @Override
    public @Nullable String fault(T value) {
      boolean inside = value.compareTo(least) >= 0 && value.compareTo(greatest) <= 0;
      return inside ? null : "is out of range";
    }
  }

  record Matching(Pattern form, String fault, String allowed) implements Rule<String> {
    @Override
    public @Nullable String fault(String value) {
      return form.matcher(value).matches() ? null : fault;
    }
  }
}
