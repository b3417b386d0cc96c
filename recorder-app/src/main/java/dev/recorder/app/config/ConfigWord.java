package dev.recorder.app.config;

import java.util.Locale;

/** An enum that is written as a word in the file. */
interface ConfigWord {
  String name();

  default String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
