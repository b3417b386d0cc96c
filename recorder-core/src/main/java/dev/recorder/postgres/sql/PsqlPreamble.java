package dev.recorder.postgres.sql;

/** The beginning of all SQL that is printed for psql. */
public final class PsqlPreamble {
  /**
   * The first line. psql reads a script in the encoding of its session, which the owner of the
   * database may have set. In some encodings a character of a name ends in a quote or a backslash,
   * and psql would run the text after it, such as {@code \!}, as a command.
   */
  public static final String BEGINNING = "SET client_encoding = 'UTF8';\n";

  private PsqlPreamble() {}
}
