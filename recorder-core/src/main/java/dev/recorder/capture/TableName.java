package dev.recorder.capture;

import dev.recorder.postgres.sql.Quoted;

/** A table's schema and name, as the catalog has them. */
public record TableName(String schema, String name) {

  /** For SQL. */
  public String quoted() {
    return Quoted.identifier(schema) + "." + Quoted.identifier(name);
  }

  /** Its schema, for SQL. */
  public String quotedSchema() {
    return Quoted.identifier(schema);
  }

  /** Without quotes, as it is called in a log. */
  public String logged() {
    return schema + "." + name;
  }

  @Override
  public String toString() {
    return logged();
  }
}
