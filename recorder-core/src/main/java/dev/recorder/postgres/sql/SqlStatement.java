package dev.recorder.postgres.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A prepared {@link Sql} with parameters that are set by name. It runs only after each parameter
 * has been set at least once. For one thread.
 */
public final class SqlStatement implements AutoCloseable {
  private final PreparedStatement prepared;
  private final Sql sql;
  private final Set<String> set = new HashSet<>();

  SqlStatement(PreparedStatement prepared, Sql sql) {
    this.prepared = prepared;
    this.sql = sql;
  }

  /** Sets a text, or NULL. */
  public SqlStatement set(String name, @Nullable String value) throws SQLException {
    return each(name, place -> prepared.setString(place, value));
  }

  public SqlStatement set(String name, int value) throws SQLException {
    return each(name, place -> prepared.setInt(place, value));
  }

  public SqlStatement set(String name, long value) throws SQLException {
    return each(name, place -> prepared.setLong(place, value));
  }

  public SqlStatement set(String name, boolean value) throws SQLException {
    return each(name, place -> prepared.setBoolean(place, value));
  }

  public SqlStatement setLongOrNull(String name, @Nullable Long value) throws SQLException {
    return each(name, place -> prepared.setObject(place, value, Types.BIGINT));
  }

  public SqlStatement setIntOrNull(String name, @Nullable Integer value) throws SQLException {
    return each(name, place -> prepared.setObject(place, value, Types.INTEGER));
  }

  /** Sets an array whose elements have a type of the server, such as {@code text}. */
  public SqlStatement setArray(String name, String type, Object[] elements) throws SQLException {
    return each(
        name,
        place -> prepared.setArray(place, prepared.getConnection().createArrayOf(type, elements)));
  }

  /** Runs the statement and returns the number of changed rows. */
  public int update() throws SQLException {
    return complete().executeUpdate();
  }

  /** Runs the statement. The result is closed with the statement. */
  public ResultSet query() throws SQLException {
    return complete().executeQuery();
  }

  /**
   * Runs the statement and reads its first row. Returns empty if there is no row or the value is
   * null.
   */
  public <T> Optional<T> first(SqlFunction<ResultSet, @Nullable T> reader) throws SQLException {
    try (ResultSet row = query()) {
      return row.next() ? Optional.ofNullable(reader.apply(row)) : Optional.empty();
    }
  }

  /** Runs the statement and reads all rows. */
  public <T> List<T> all(SqlFunction<ResultSet, T> reader) throws SQLException {
    List<T> found = new ArrayList<>();
    try (ResultSet row = query()) {
      while (row.next()) {
        found.add(reader.apply(row));
      }
    }
    return found;
  }

  /** Runs the statement and returns the number in its only row. */
  public long number() throws SQLException {
    return only(row -> row.getLong(1));
  }

  /** Runs the statement and returns the boolean in its only row. */
  public boolean truth() throws SQLException {
    return only(row -> row.getBoolean(1));
  }

  /** Runs the statement and reads its only row. */
  public <T> T only(SqlFunction<ResultSet, @Nullable T> reader) throws SQLException {
    return first(reader).orElseThrow(() -> new SQLException("no row came of " + sql));
  }

  /**
   * Returns the driver's statement with all parameters set, for other uses. It is closed with this
   * statement.
   */
  public PreparedStatement complete() {
    for (String parameter : sql.parameters()) {
      if (!set.contains(parameter)) {
        throw new IllegalStateException("parameter :" + parameter + " is not set in " + sql);
      }
    }
    return prepared;
  }

  private SqlStatement each(String name, SqlAction<Integer> setter) throws SQLException {
    for (int place : sql.places(name)) {
      setter.apply(place);
    }
    set.add(name);
    return this;
  }

  @Override
  public void close() throws SQLException {
    prepared.close();
  }
}
