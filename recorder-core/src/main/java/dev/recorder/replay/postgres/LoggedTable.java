package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/** A table as changes name it: its schema, a dot, its name, neither in quotes. */
record LoggedTable(String schema, String name) {

  private static final int LONGEST = 63;

  /**
   * What stands before the first dot is the schema; empty if no table can be captured that is
   * called so: those of the server and of replays are none.
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

  /** As part of a name that no other table has. */
  UUID digest() {
    return UUID.nameUUIDFromBytes(toString().getBytes(StandardCharsets.UTF_8));
  }

  /** In quotes, for statements. */
  String quoted() {
    return Quoted.identifier(schema) + "." + Quoted.identifier(name);
  }

  @Override
  public String toString() {
    return schema + "." + name;
  }
}
