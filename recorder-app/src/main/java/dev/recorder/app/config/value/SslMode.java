package dev.recorder.app.config.value;

import java.util.Locale;

/** libpq's and the driver's {@code sslmode}. */
public enum SslMode {
  DISABLE,
  ALLOW,
  PREFER,
  REQUIRE,
  VERIFY_CA,
  VERIFY_FULL;

  /** The spelling of the driver, and of the file. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
