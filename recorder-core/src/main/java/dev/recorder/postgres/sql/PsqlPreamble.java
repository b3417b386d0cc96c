package dev.recorder.postgres.sql;

/** What all SQL printed for psql has in common. */
public final class PsqlPreamble {
  /**
   * The first line. psql reads a script in the encoding of its session, which the owner of the
   * database may have set. In some encodings a character of a name ends in a quote or a backslash,
   * and the text behind it, such as {@code \!}, would be a psql command.
   */
  public static final String BEGINNING = "SET client_encoding = 'UTF8';\n";

  private PsqlPreamble() {}
}
