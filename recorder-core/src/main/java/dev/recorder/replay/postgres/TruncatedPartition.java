package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.DefaultCollation;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.replay.postgres.PartitionPredicate.AnyOf;
import dev.recorder.replay.postgres.PartitionPredicate.Compared;
import dev.recorder.replay.postgres.PartitionPredicate.Every;
import dev.recorder.replay.postgres.PartitionPredicate.IsNull;
import dev.recorder.replay.postgres.PartitionPredicate.Not;
import dev.recorder.replay.postgres.TableShape.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Deletes the rows of a truncated partition. The statement contains only the table's columns and
 * quoted texts, which the columns' types read.
 */
final class TruncatedPartition {
  private final Connection connection;
  private final TableShape shape;
  private final Map<String, String> asText;
  private final SavepointAttempt attempt;
  private final ValueConversion values;

  /**
   * @param asText types in the log, by column name, of columns that are text here although the log
   *     has another type
   */
  TruncatedPartition(Connection connection, TableShape shape, Map<String, String> asText) {
    this.connection = connection;
    this.shape = shape;
    this.asText = asText;
    this.attempt = new SavepointAttempt(connection);
    this.values = new ValueConversion(connection);
  }

  private static final String DELETE = "DELETE FROM ONLY {table} AS t WHERE {rows}";

  /**
   * Deletes the rows that a condition describes.
   *
   * @param condition the partition's condition in the log
   * @param order the default order of texts in the log's database; empty if unknown
   * @return whether the rows could be determined
   */
  boolean remove(String condition, String order) throws SQLException {
    Optional<PartitionPredicate> read = PartitionCondition.read(condition);
    Optional<String> rows = read.isPresent() ? sql(read.get(), order) : Optional.empty();
    return rows.isPresent()
        && attempt.isDone(
            () ->
                ColumnChanges.run(
                    connection,
                    SqlTemplate.fill(
                        DELETE, Map.of("table", shape.table().quoted(), "rows", rows.get()))));
  }

  private Optional<String> sql(PartitionPredicate rows, String order) throws SQLException {
    if (rows instanceof Every every) {
      return joined(" AND ", every.of(), order);
    } else if (rows instanceof AnyOf any) {
      return joined(" OR ", any.of(), order);
    } else if (rows instanceof Not not) {
      return sql(not.of(), order).map(of -> "(NOT " + of + ")");
    } else if (rows instanceof IsNull isNull) {
      return shape
          .find(isNull.column())
          .map(column -> "(t." + column.quoted() + " IS NOT DISTINCT FROM NULL)");
    }
    return compared((Compared) rows, order);
  }

  private Optional<String> joined(String word, List<PartitionPredicate> parts, String order)
      throws SQLException {
    List<String> all = new ArrayList<>();
    for (PartitionPredicate part : parts) {
      sql(part, order).ifPresent(all::add);
    }
    return all.size() == parts.size()
        ? Optional.of("(" + String.join(word, all) + ")")
        : Optional.empty();
  }

  /** Collations with the same order on every server. */
  private static final Set<String> COLLATIONS = Set.of("C", "POSIX");

  private Optional<String> compared(Compared compared, String order) throws SQLException {
    boolean isEqual = compared.sign().equals("=");
    Optional<Column> column = shape.find(compared.column());
    Optional<Column> as = column.isPresent() ? as(column.get(), compared) : Optional.empty();
    Optional<String> collation = Optional.of("");
    if (as.isPresent()) {
      collation =
          isEqual
              ? Optional.of(equality(column.get(), compared))
              : collation(as.get(), compared.collation(), order);
    }
    if (as.isEmpty() || collation.isEmpty()) {
      return Optional.empty();
    }
    List<String> all = new ArrayList<>();
    for (String bound : compared.bounds()) {
      if (values.isValue(as.get(), bound)) {
        all.add(compared(column.get(), as.get().type(), compared.sign(), bound) + collation.get());
      } else if (!isEqual) {
        return Optional.empty();
      } // Else no row matches: the column cannot have this value.
    }
    return Optional.of(all.isEmpty() ? "false" : "(" + String.join(" OR ", all) + ")");
  }

  private static String compared(Column column, String type, String sign, String bound) {
    return SqlTemplate.fill(
        "(t.{column}){cast} OPERATOR(pg_catalog.{sign}) {bound}::{type}",
        Map.of(
            "column",
            column.quoted(),
            "cast",
            column.type().equals(type) ? "" : "::" + type,
            "sign",
            sign,
            "bound",
            Quoted.literal(bound),
            "type",
            type));
  }

  private static final Sql ORDER =
      Sql.of(
          """
          SELECT b.typcollation = 0 AND b.typtype IN ('b', 'e') AS is_of_all, {order} AS "order"
          FROM pg_type t
            JOIN pg_type b ON b.oid = CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END
          WHERE t.oid = to_regtype(:type)
          """,
          Map.of("order", DefaultCollation.SQL));

  /**
   * Returns the COLLATE clause that gives a comparison the order of the log's database; empty if
   * this database does not have that order.
   *
   * @param named the collation in the condition; empty for the default of the log's database
   */
  private Optional<String> collation(Column as, String named, String order) throws SQLException {
    if (COLLATIONS.contains(named)) {
      return Optional.of(" COLLATE pg_catalog." + Quoted.identifier(named));
    }
    Optional<String> there;
    try (SqlStatement statement = ORDER.on(connection)) {
      there =
          statement
              .set("type", as.type())
              .first(row -> row.getBoolean("is_of_all") ? "" : row.getString("order"));
    }
    if (there.filter(String::isEmpty).isPresent()) {
      return there;
    } else if (!named.isEmpty()) {
      return Optional.empty();
    }
    return order.equals(DefaultCollation.CODE_POINTS)
        ? Optional.of(" COLLATE pg_catalog.\"C\"")
        : there.filter(order::equals).map(same -> "");
  }

  private static final Sql CALLS_TEXTS_EQUAL =
      Sql.of(
          """
          SELECT l.oid::regcollation::text FROM pg_type t JOIN pg_collation l ON l.oid = t.typcollation
          WHERE t.oid = to_regtype(:type) AND NOT l.collisdeterministic
          """);

  /**
   * Returns the COLLATE clause of a comparison for equality. This is C or POSIX if the condition
   * names it. If the condition names no collation and the column is text in place of another type,
   * it is that type's collation, if different texts are equal by it. Else it is empty.
   */
  private String equality(Column column, Compared compared) throws SQLException {
    if (COLLATIONS.contains(compared.collation())) {
      return " COLLATE pg_catalog." + Quoted.identifier(compared.collation());
    } else if (!compared.collation().isEmpty() || !asText.containsKey(column.name())) {
      return "";
    }
    String type = asText.get(column.name());
    List<String> found = new ArrayList<>();
    attempt.isDone(
        () -> {
          try (SqlStatement statement = CALLS_TEXTS_EQUAL.on(connection)) {
            found.addAll(statement.set("type", type).all(row -> row.getString(1)));
          }
        });
    return found.isEmpty() ? "" : " COLLATE " + found.get(0);
  }

  private static final Sql CANONICAL = Sql.of("SELECT format_type(to_regtype(:type), NULL)");

  /**
   * Returns the column with the type in which its values are compared; empty if they cannot be. A
   * column that is text in place of another type is compared in the condition's type, if that is a
   * type of the server. Otherwise it is compared as text, and only for equality.
   */
  private Optional<Column> as(Column column, Compared compared) throws SQLException {
    if (!asText.containsKey(column.name())) {
      return Optional.of(column);
    }
    List<String> canonical = new ArrayList<>();
    attempt.isDone(
        () -> {
          try (SqlStatement statement = CANONICAL.on(connection)) {
            statement
                .set("type", compared.type())
                .first(row -> row.getString(1))
                .ifPresent(canonical::add);
          }
        });
    if (!canonical.isEmpty()) {
      Column as = new Column(column.name(), canonical.get(0), false);
      if (!as.isOfUsers()) {
        return Optional.of(as);
      }
    }
    return compared.sign().equals("=") ? Optional.of(column) : Optional.empty();
  }
}
