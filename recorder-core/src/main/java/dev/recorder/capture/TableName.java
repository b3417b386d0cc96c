package dev.recorder.capture;

import dev.recorder.postgres.sql.Quoted;

/** A table's schema and name, as the catalog has them. */
public record TableName(String schema, String name) {

  /** Returns schema and name, quoted for SQL. */
  public String quoted() {
    return Quoted.identifier(schema) + "." + Quoted.identifier(name);
  }

  /** Returns the schema, quoted for SQL. */
  public String quotedSchema() {
    return Quoted.identifier(schema);
  }

  /** Returns {@code schema.name} without quotes, as logs have it. */
  public String logged() {
    return schema + "." + name;
  }

  @Override
  public String toString() {
    return logged();
  }
}
