package dev.recorder.capture.script;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.schema.CaptureTriggerNames;
import java.util.List;
import java.util.Map;

/** The sequence that numbers the statements of all captured tables of a log. */
record CaptureSequence(String name) {
  private static final String SEQUENCE =
      "CREATE SEQUENCE IF NOT EXISTS {sequence} AS bigint CACHE 1 NO CYCLE";

  /**
   * Makes the numbers continue from the present time in microseconds. If the log was written from
   * another server before, whose sequence was not copied, that server's numbers began at an earlier
   * microsecond and rose by less than one for each microsecond. So they are smaller.
   */
  private static final String BEGIN_NOW =
      """
      DO $$ BEGIN
        PERFORM setval({name}, now.micros)
        FROM {sequence} AS s, (SELECT {present} AS micros) AS now WHERE s.last_value < now.micros;
      END $$\
      """;

  /** Returns the statements that create or advance the sequence. */
  List<String> begin() {
    return List.of(
        SqlTemplate.fill(SEQUENCE, Map.of("sequence", name)),
        SqlTemplate.fill(
            BEGIN_NOW,
            Map.of(
                "name",
                Quoted.literal(name),
                "sequence",
                name,
                "present",
                CaptureTriggerNames.PRESENT)));
  }
}
