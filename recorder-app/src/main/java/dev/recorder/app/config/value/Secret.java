package dev.recorder.app.config.value;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that must not be logged. Only {@link #reveal} and {@link #current} return the value, so
 * its uses are easy to find.
 */
public final class Secret {
  public static final String MASK = "***";

  private final String value;
  private final Supplier<String> later;

  public Secret(String value) {
    this(value, () -> value);
  }

  /**
   * Creates a secret whose source may change.
   *
   * @param later reads the source again
   */
  public Secret(String value, Supplier<String> later) {
    this.value = Objects.requireNonNull(value);
    this.later = later;
  }

  /** Returns the value at the time when the file was read. */
  public String reveal() {
    return value;
  }

  /** Returns the present value, read from its source again. */
  public String current() {
    return later.get();
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
