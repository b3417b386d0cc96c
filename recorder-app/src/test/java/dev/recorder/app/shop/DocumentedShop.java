package dev.recorder.app.shop;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.proof.EntityDocuments;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * All tables of the {@link Shop} in one document for each customer, by a recorder of requests. Rows
 * of tables that know no customer belong to the one whose number they have, or to none.
 */
public final class DocumentedShop {
  /** The customers that buy what is called so. */
  private static final String WHO_BOUGHT =
      "SELECT u.customer FROM public.purchase u JOIN public.line l ON l.purchase = u.id WHERE ";

  private static final String CODE =
      "CASE WHEN %1$s ~ '^[cCs][0-9]{1,3}$' THEN substr(%1$s, 2)::int END";
  private static final String SPEED = "CASE WHEN %1$s BETWEEN 1 AND 200 THEN %1$s::int END";

  private static final String QUERY =
      """
      SELECT c.*,
        (SELECT json_agg(a ORDER BY a.id) FROM public.address a WHERE a.customer = c.id)
          AS addresses,
        (SELECT json_agg(json_build_object('purchase', u,
            'lines', (SELECT json_agg(json_build_object('line', l, 'product', p, 'category', g,
                'prices', (SELECT json_agg(r ORDER BY r.since) FROM public.price r
                  WHERE r.sku = l.sku)) ORDER BY l.no)
              FROM public.line l LEFT JOIN public.product p ON p.sku = l.sku
              LEFT JOIN public.category g ON g.name = p.category WHERE l.purchase = u.id),
            'payments', (SELECT json_agg(y ORDER BY y.id) FROM public.payment y
              WHERE y.purchase = u.id)) ORDER BY u.id)
          FROM public.purchase u WHERE u.customer = c.id) AS purchases,
        (SELECT row_to_json(s) FROM public.shipment s WHERE s.id = c.id) AS shipment,
        (SELECT row_to_json(h) FROM "Stock & more"."Shelf ""A\""" h WHERE h."No." = c.id) AS shelf,
        (SELECT json_agg(o ORDER BY o.code) FROM public.coupon o WHERE %s = c.id) AS coupons,
        (SELECT json_agg(w ORDER BY w.id) FROM public.review w WHERE w.id = c.id) AS reviews,
        (SELECT n FROM public.counter n WHERE n.id = c.id) AS counter,
        (SELECT json_agg(v ORDER BY v::text) FROM public.visit v WHERE %s = c.id) AS visits,
        (SELECT json_agg(x ORDER BY x.name) FROM public.setting x WHERE %s = c.id) AS settings,
        (SELECT json_agg(e ORDER BY e.region) FROM public.event e WHERE e.id = c.id) AS events,
        (SELECT row_to_json(t) FROM public.token t WHERE t.id = c.id) AS token
      FROM public.customer c WHERE c.id = :entity"""
          .formatted(CODE.formatted("o.code"), SPEED.formatted("v.ms"), CODE.formatted("x.name"))
          .replaceAll("\\s+", " ");

  private DocumentedShop() {}

  /** The section of its recorder in a host's file. */
  public static String section(String recorder, int lockId) {
    return "[recorder:%s]\nlockid = %d\nkind = requests\nquery = %s\n"
        .formatted(recorder, lockId, QUERY);
  }

  /** Has the tables, which are there, captured as an administrator would. */
  public static EntityDocuments of(Cluster cluster, String recorder) throws SQLException {
    return EntityDocuments.capture(cluster, recorder, QUERY, entities());
  }

  /** Whose documents a row of each table belongs to. */
  private static Map<String, String> entities() {
    Map<String, String> all = new LinkedHashMap<>();
    for (String table : Shop.TABLES) {
      all.put(table, "id");
    }
    all.put("public.address", "customer");
    all.put(
        "public.category",
        WHO_BOUGHT
            + "l.sku IN (SELECT p.sku FROM public.product p WHERE p.category = category.name)");
    all.put("public.product", WHO_BOUGHT + "l.sku = product.sku");
    all.put("public.price", WHO_BOUGHT + "l.sku = price.sku");
    all.put("public.purchase", "customer");
    all.put("public.line", "SELECT u.customer FROM public.purchase u WHERE u.id = line.purchase");
    all.put(
        "public.payment", "SELECT u.customer FROM public.purchase u WHERE u.id = payment.purchase");
    all.put("\"Stock & more\".\"Shelf \"\"A\"\"\"", "\"No.\"");
    all.put("public.coupon", CODE.formatted("code"));
    all.put(Shop.KEYLESS, SPEED.formatted("ms"));
    all.put("public.setting", CODE.formatted("name"));
    return all;
  }
}
