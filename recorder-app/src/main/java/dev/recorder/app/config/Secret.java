package dev.recorder.app.config;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value that must not reach a log. Only {@link #reveal} gives it away, so its uses are easy to
 * find.
 */
public final class Secret {
  static final String MASK = "***";

  private final String value;

  public Secret(String value) {
    this.value = Objects.requireNonNull(value);
  }

  public String reveal() {
    return value;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Secret secret && secret.value.equals(value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return MASK;
  }
}
