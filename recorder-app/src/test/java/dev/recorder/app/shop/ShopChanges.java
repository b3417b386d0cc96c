package dev.recorder.app.shop;

import java.util.List;
import java.util.Random;
import java.util.Set;

/** Statements that change the tables of the {@link Shop}, at random; the same seed, the same. */
final class ShopChanges {
  /** What may befall a transaction among others: it is then as if it had never been. */
  private static final Set<String> EXPECTED =
      Set.of("23503", "23505", "40001", "40P01", "55P03", "57014");

  /** What every session of a client sets. */
  static final List<String> LIMITS = List.of("lock_timeout=2000", "statement_timeout=20000");

  private static final String KEY = "{key}";

  /** With {@code {key}} for a small number, {@code {n}} for a large one, {@code {t}} for a text. */
  private static final List<String> CHANGES =
      List.of(
          "INSERT INTO customer VALUES ({key}, '{t}', 'so ''so''', date '2001-02-03' + {n},"
              + " '{\"n\": {n}, \"t\": [null, \"é\"]}') ON CONFLICT (id) DO UPDATE SET name ="
              + " excluded.name, mood = NULL",
          "UPDATE customer SET id = id + 100 WHERE id = {key}",
          "UPDATE customer SET id = id - 100 WHERE id = {key} + 100",
          "DELETE FROM customer WHERE id = {key}",
          "INSERT INTO address VALUES ({key}, {key}, ARRAY['{t}', NULL, 'a,\"b\"'], point({n}, 0.1))",
          "INSERT INTO address (id, lines) VALUES ({key}, '[0:1]={x,y}')",
          "INSERT INTO category VALUES ('c{key}', 'c1', 1 / ({key} + 1.0)), ('d{key}', NULL, 'NaN')"
              + " ON CONFLICT DO NOTHING",
          "UPDATE category SET name = 'e' || {n} WHERE name = 'c{key}'",
          "DELETE FROM category WHERE name LIKE 'e%' AND name < 'e{n}'",
          "INSERT INTO product VALUES ('p{key}', 'c{key}', {n}.10, '\\x00ff{hex}') ON CONFLICT (sku)"
              + " DO UPDATE SET price = product.price + 1, picture = NULL",
          "INSERT INTO price SELECT 'p' || i, timestamptz '2020-01-01 00:00+02' + i * interval '1 h',"
              + " 'Infinity' FROM generate_series({key}, {key} + 5) i ON CONFLICT DO NOTHING",
          "UPDATE price SET since = since + interval '6 h' WHERE sku < 'p{key}'",
          "WITH gone AS (DELETE FROM price WHERE sku = 'p{key}' RETURNING *)"
              + " INSERT INTO coupon SELECT 'from ' || sku || since, 1, B'101' FROM gone"
              + " ON CONFLICT DO NOTHING",
          "INSERT INTO purchase VALUES ({n}, {key}, now()::timestamp, {n}.500,"
              + " tsrange(NULL, '2030-01-01'))",
          "INSERT INTO line (purchase, no, sku, amount) SELECT id, g, 'p1', {key} FROM purchase,"
              + " generate_series(1, 3) g WHERE id < {n} ON CONFLICT DO NOTHING",
          "UPDATE line SET no = no + 1 WHERE purchase < {n}",
          "UPDATE purchase SET id = id + 1 WHERE id % 3 = 0",
          "DELETE FROM purchase WHERE id > {n} * 3 / 2",
          "INSERT INTO payment VALUES (gen_random_uuid(), {n}, {key} % 2 = 0, '1 year 2 mons 3.5 s',"
              + " '{ \"b\": 1.0, \"a\" : null }'), (gen_random_uuid(), NULL, NULL, NULL, 'null')",
          "DELETE FROM payment WHERE paid",
          "INSERT INTO shipment VALUES ({key}, '{1,NULL,{n}}', '{1.5e-30,-0}', '10.0.0.{key}/24')"
              + " ON CONFLICT (id) DO UPDATE SET boxes = shipment.boxes || {n}",
          "INSERT INTO \"Stock & more\".\"Shelf \"\"A\"\"\" SELECT i, '{t}' FROM"
              + " generate_series({key}, {key} + 9) i ON CONFLICT (\"No.\") DO UPDATE SET \"held by\""
              + " = NULL WHERE excluded.\"No.\" % 2 = 0",
          "TRUNCATE \"Stock & more\".\"Shelf \"\"A\"\"\"",
          "INSERT INTO coupon VALUES ('C{key}', {n}, B'1') ON CONFLICT (code) DO UPDATE SET uses ="
              + " coupon.uses + 1",
          "UPDATE coupon SET code = lower(code) WHERE code = 'C{key}'",
          "INSERT INTO review VALUES ({key}, 5, '{t}\\n\"\\\\', '{}')",
          "UPDATE review SET stars = stars - 1, body = repeat(body, 2) WHERE length(body) < 2000",
          "DELETE FROM review WHERE id >= {key}",
          "INSERT INTO counter SELECT i, 0 FROM generate_series(1, 20) i ON CONFLICT (id) DO UPDATE"
              + " SET n = counter.n + 1",
          "UPDATE counter SET id = CASE WHEN id = {key} THEN {key} + 1 ELSE {key} END"
              + " WHERE id IN ({key}, {key} + 1) AND n % 2 = 0",
          "UPDATE counter SET n = n + 1",
          "INSERT INTO visit VALUES (now(), '{t}', {key}), (NULL, NULL, 'Infinity')",
          "UPDATE visit SET ms = ms + 1 WHERE page = '{t}'",
          "DELETE FROM visit WHERE ms > {key}",
          "INSERT INTO setting VALUES ('s{key}', '{\"a\":  {n}}', '[2020-01-01,2020-02-01)')"
              + " ON CONFLICT (name) DO UPDATE SET value = NULL",
          "INSERT INTO event SELECT i, CASE i % 2 WHEN 0 THEN 'east' ELSE 'west' END, '[{n}]'"
              + " FROM generate_series({key}, {key} + 4) i ON CONFLICT DO NOTHING",
          "UPDATE event SET region = CASE region WHEN 'east' THEN 'north' ELSE 'east' END"
              + " WHERE id = {key}",
          "DELETE FROM event_east WHERE id < {key}",
          "TRUNCATE event_rest",
          "TRUNCATE token, review",
          "INSERT INTO token VALUES ({key}, decode('{hex}', 'hex'), '12:34:56.5')"
              + " ON CONFLICT (id) DO UPDATE SET secret = token.secret || '\\x00'");

  private final Random random;

  ShopChanges(long seed) {
    this.random = new Random(seed);
  }

  static boolean isExpected(String sqlState) {
    return EXPECTED.contains(sqlState);
  }

  /** From 0 to below {@code bound}. */
  int draw(int bound) {
    return random.nextInt(bound);
  }

  /** Lines for {@code COPY visit FROM STDIN}. */
  String copied() {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      rows.append("2020-01-01 00:00+00\tcopied\t").append(random.nextInt(1000)).append('\n');
    }
    return rows.toString();
  }

  String change() {
    String change = CHANGES.get(random.nextInt(CHANGES.size()));
    return change
        .replace(KEY, Integer.toString(1 + random.nextInt(30)))
        .replace("{n}", Integer.toString(random.nextInt(30_000)))
        .replace("{hex}", "%04x".formatted(random.nextInt(0x10000)))
        .replace("{t}", "text ''%d''".formatted(random.nextInt(9)));
  }
}
