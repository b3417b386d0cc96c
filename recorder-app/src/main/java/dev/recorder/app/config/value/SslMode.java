package dev.recorder.app.config.value;

import java.util.Locale;

/** libpq's and the driver's {@code sslmode}. */
public enum SslMode implements ConfigWord {
  DISABLE,
  ALLOW,
  PREFER,
  REQUIRE,
  VERIFY_CA,
  VERIFY_FULL;

  /** As the driver spells it. */
  @Override
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
