package dev.recorder.app.config.value;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that must not reach a log. Only {@link #reveal} and {@link #current} return it, so its
 * uses are easy to find.
 */
public final class Secret {
  public static final String MASK = "***";

  private final String value;
  private final Supplier<String> later;

  public Secret(String value) {
    this(value, () -> value);
  }

  /**
   * A value whose source may change.
   *
   * @param later reads the source again
   */
  public Secret(String value, Supplier<String> later) {
    this.value = Objects.requireNonNull(value);
    this.later = later;
  }

  /** The value when the file was read. */
  public String reveal() {
    return value;
  }

  /** The value now. */
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
