package dev.recorder.app.config;

import java.util.Map;

/**
 * A recorder that is called like an index or a sequence of another: the database has one relation
 * of a name, so whichever comes second would not get its own.
 */
final class NameClash {
  private NameClash() {}

  static void report(Map<String, RecorderReader> recorders) {
    recorders.forEach(
        (owner, reader) -> {
          for (String name : reader.otherNames()) {
            RecorderReader clashing = recorders.get(name);
            if (clashing != null) {
              clashing.clashesWith(reader);
            }
          }
        });
  }
}
