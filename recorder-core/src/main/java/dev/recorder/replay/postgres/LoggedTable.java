package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.ReplayErrorKind;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** A table as changes name it: its schema, a dot, its name, neither in quotes. */
record LoggedTable(String schema, String name) {

  /** What stands before the first dot is the schema. */
  static LoggedTable parse(String text) {
    int dot = text.indexOf('.');
    if (dot < 1 || dot == text.length() - 1) {
      throw new ReplayException(
          ReplayErrorKind.LOG, "a change of table '" + text + "': that is no schema and table");
    }
    return new LoggedTable(text.substring(0, dot), text.substring(dot + 1));
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
