package dev.recorder.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/** COPY, which JDBC has no words for. */
public final class Copy {
  private Copy() {}

  /**
   * Runs {@code COPY … FROM STDIN}.
   *
   * @param rows in COPY's text format: tabs between columns, a line feed behind each row
   * @return number of rows
   */
  public static long in(Connection connection, String sql, String rows) throws SQLException {
    try {
      return connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn(sql, new ByteArrayInputStream(rows.getBytes(UTF_8)));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
