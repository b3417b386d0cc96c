package dev.recorder.postgres.sql;

/** What is common to all SQL that is printed for psql. */
public final class PsqlScript {
  /**
   * How each begins. psql takes a script for text in the encoding of its session, which an owner of
   * the database may have set: in some of them a character of a name ends in a quote or a
   * backslash, and what stands behind it, such as {@code \!}, would be a command of psql's.
   */
  public static final String BEGINNING = "SET client_encoding = 'UTF8';\n";

  private PsqlScript() {}
}
