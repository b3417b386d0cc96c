package dev.recorder.app.config.value;

import java.util.Locale;

/** The values of {@code sslmode}, as in libpq and the driver. */
public enum SslMode {
  DISABLE,
  ALLOW,
  PREFER,
  REQUIRE,
  VERIFY_CA,
  VERIFY_FULL;

  /** Returns the spelling in the driver and in the file. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
