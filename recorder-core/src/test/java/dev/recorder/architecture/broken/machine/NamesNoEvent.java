package dev.recorder.architecture.broken.machine;

import dev.recorder.testing.network.Breaks;
import org.slf4j.Logger;

@Breaks("EVERY_LINE_FROM_INFO_ON_NAMES_ITS_EVENT")
final class NamesNoEvent {
  void say(Logger log) {
    log.info("done");
  }
}
