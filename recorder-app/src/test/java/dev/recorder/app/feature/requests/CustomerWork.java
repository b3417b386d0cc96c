package dev.recorder.app.feature.requests;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tables of which a customer's document is made, and a client that changes them at random, until it
 * is told to stop: many transactions are under way while others change what theirs depends on.
 */
final class CustomerWork implements Runnable {
  static final List<String> DEFINITIONS =
      List.of(
          "CREATE TABLE address (id int PRIMARY KEY, street text)",
          "CREATE TABLE customer (id int PRIMARY KEY, name text, address_id int)",
          "CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customer"
              + " ON DELETE CASCADE ON UPDATE CASCADE)",
          "CREATE TABLE line (id int PRIMARY KEY, order_id int NOT NULL REFERENCES orders"
              + " ON DELETE CASCADE ON UPDATE CASCADE, sku text, amount numeric)",
          "CREATE TABLE discount (line_id int PRIMARY KEY REFERENCES line ON DELETE CASCADE"
              + " ON UPDATE CASCADE, percent numeric)",
          "INSERT INTO address SELECT i, 'Elm' FROM generate_series(1, 4) i");

  /** Whose documents a row of each table belongs to. */
  static final Map<String, String> ENTITIES =
      Map.of(
          "customer",
          "id",
          "address",
          "SELECT c.id FROM public.customer c WHERE c.address_id = address.id",
          "orders",
          "customer_id",
          "line",
          "(SELECT o.customer_id FROM public.orders o WHERE o.id = order_id)",
          "discount",
          "SELECT o.customer_id FROM public.orders o JOIN public.line l ON l.order_id = o.id"
              + " WHERE l.id = line_id");

  static final String QUERY =
      "SELECT c.id, c.name, a.street, (SELECT json_agg(json_build_object('id', o.id, 'lines',"
          + " (SELECT json_agg(json_build_object('sku', l.sku, 'amount', l.amount, 'percent',"
          + " d.percent) ORDER BY l.id) FROM public.line l LEFT JOIN public.discount d ON d.line_id"
          + " = l.id WHERE l.order_id = o.id)) ORDER BY o.id) FROM public.orders o"
          + " WHERE o.customer_id = c.id) AS orders"
          + " FROM public.customer c LEFT JOIN public.address a ON a.id = c.address_id"
          + " WHERE c.id = :entity";

  /** What may befall a transaction among others: it is then as if it had never been. */
  private static final Set<String> EXPECTED = Set.of("23503", "23505", "40P01", "55P03", "57014");

  private static final List<String> CHANGES =
      List.of(
          "INSERT INTO customer VALUES ({key}, 'n{n}', {few}) ON CONFLICT (id) DO UPDATE SET"
              + " address_id = excluded.address_id",
          "UPDATE customer SET address_id = {few} WHERE id = {key}",
          "UPDATE customer SET id = {key} WHERE id = {few}",
          "DELETE FROM customer WHERE id = {key}",
          "UPDATE address SET street = 's{n}' WHERE id = {few}",
          "UPDATE address SET street = 's{n}' WHERE id = {few}",
          "INSERT INTO address VALUES ({few}, 'new') ON CONFLICT DO NOTHING",
          "DELETE FROM address WHERE id = {few} AND {n} % 5 = 0",
          "INSERT INTO orders VALUES ({n}, {key})",
          "UPDATE orders SET customer_id = {key} WHERE id % 10 = {few}",
          "UPDATE orders SET customer_id = NULL WHERE id % 50 = {few}",
          "DELETE FROM orders WHERE id % 20 = {key}",
          "INSERT INTO line SELECT {n} + o.id, o.id, 'a', {n} / 7.0 FROM orders o LIMIT 3",
          "UPDATE line SET order_id = (SELECT min(id) FROM orders) WHERE id % 10 = {few}",
          "UPDATE line SET amount = amount + 1 WHERE id % 3 = 0",
          "DELETE FROM line WHERE id % 5 = {few}",
          "INSERT INTO discount SELECT id, {key} FROM line ON CONFLICT (line_id) DO UPDATE SET"
              + " percent = discount.percent + 1",
          "DELETE FROM discount WHERE line_id % 4 = {few}",
          "TRUNCATE discount",
          "SELECT pg_sleep(0.{few})");

  private final TestDatabase database;
  private final Random random;
  private final AtomicBoolean stopping;

  CustomerWork(TestDatabase database, long seed, AtomicBoolean stopping) {
    this.database = database;
    this.random = new Random(seed);
    this.stopping = stopping;
  }

  @Override
  public void run() {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET lock_timeout = '2s'; SET statement_timeout = '20s'");
      connection.setAutoCommit(false);
      while (!stopping.get()) {
        try {
          transact(connection, statement);
        } catch (SQLException e) {
          if (!EXPECTED.contains(e.getSQLState())) {
            throw e;
          }
          connection.rollback();
        }
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void transact(Connection connection, Statement statement) throws SQLException {
    for (int left = 1 + random.nextInt(5); left > 0; left--) {
      if (random.nextInt(8) == 0) {
        statement.execute("SAVEPOINT s");
        statement.execute(change());
        statement.execute("ROLLBACK TO s");
      } else {
        statement.execute(change());
      }
    }
    if (random.nextInt(6) == 0) {
      connection.rollback();
    } else {
      connection.commit();
    }
  }

  private String change() {
    return CHANGES
        .get(random.nextInt(CHANGES.size()))
        .replace("{key}", Integer.toString(1 + random.nextInt(12)))
        .replace("{few}", Integer.toString(1 + random.nextInt(4)))
        .replace("{n}", Integer.toString(1 + random.nextInt(100_000)));
  }
}
