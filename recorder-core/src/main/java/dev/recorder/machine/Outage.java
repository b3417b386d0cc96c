package dev.recorder.machine;

import org.slf4j.Logger;

/**
 * Logs once when something goes down and once when it comes up again, however often it is asked in
 * between. Thread-safe.
 */
final class Outage {
  private final Logger log;
  private final String what;
  private boolean down;

  Outage(Logger log, String what) {
    this.log = log;
    this.what = what;
  }

  synchronized void down(String why) {
    if (!down) {
      down = true;
      log.warn("{} gives no good answer, trying on: {}", what, why);
    }
  }

  synchronized void up() {
    if (down) {
      down = false;
      log.info("{} answers again", what);
    }
  }
}
