package dev.recorder.app.soak;

import java.time.Duration;

/** How long a recorder that has something to do has done nothing. */
record Stillness(String recorder, Duration time) {
  static final Stillness NONE = new Stillness("none", Duration.ZERO);
}
