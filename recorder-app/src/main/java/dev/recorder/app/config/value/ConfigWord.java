package dev.recorder.app.config.value;

import java.util.Locale;

/** An enum that is written as a word in the file. */
public interface ConfigWord {
  String name();

  default String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
