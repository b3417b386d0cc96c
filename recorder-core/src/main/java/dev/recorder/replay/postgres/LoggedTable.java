package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/** A table by its name in changes: schema and name, separated by a dot, both unquoted. */
record LoggedTable(String schema, String name) {

  private static final int LONGEST = 63;

  /**
   * Splits a name at the first dot. Empty if no captured table can have the name. Tables of the
   * server and of replays cannot be captured.
   */
  static Optional<LoggedTable> parse(String text) {
    int dot = text.indexOf('.');
    if (dot < 0) {
      return Optional.empty();
    }
    LoggedTable table = new LoggedTable(text.substring(0, dot), text.substring(dot + 1));
    boolean isReserved =
        table.schema.startsWith("pg_")
            || table.schema.equals("information_schema")
            || table.schema.equals("recorder_replay");
    return isReserved || !isName(table.schema) || !isName(table.name)
        ? Optional.empty()
        : Optional.of(table);
  }

  private static boolean isName(String text) {
    return !text.isEmpty() && text.getBytes(StandardCharsets.UTF_8).length <= LONGEST;
  }

  /** Returns a digest for names that must be unique to the table. */
  UUID digest() {
    return UUID.nameUUIDFromBytes(toString().getBytes(StandardCharsets.UTF_8));
  }

  String quoted() {
    return Quoted.identifier(schema) + "." + Quoted.identifier(name);
  }

  @Override
  public String toString() {
    return schema + "." + name;
  }
}
