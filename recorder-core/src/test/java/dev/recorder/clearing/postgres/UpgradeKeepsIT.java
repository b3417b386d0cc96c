package dev.recorder.clearing.postgres;

import static dev.recorder.clearing.postgres.EarlierSite.PARTITION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.operate.RebaseSite;
import dev.recorder.testing.Patience;
import dev.recorder.testing.PostgresServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What users have made of a table of an earlier version stays, or it is left alone. */
class UpgradeKeepsIT {
  /** As a catalog has them: of the table itself, of its counter, and of what is of it. */
  private static final String OF_THE_TABLE =
      """
      WITH t AS (SELECT 'handoff.orders'::regclass AS oid)
      SELECT 'table ' || c.oid || c.relowner || c.relacl::text || c.relrowsecurity
          || obj_description(c.oid)
        FROM t JOIN pg_class c USING (oid)
      UNION ALL SELECT 'column ' || attnum || attname || attidentity::text
          || coalesce(attacl::text, '')
        FROM t JOIN pg_attribute ON attrelid = oid WHERE attnum > 0
      UNION ALL SELECT 'trigger ' || pg_get_triggerdef(g.oid) || g.tgenabled::text
        FROM t JOIN pg_trigger g ON tgrelid = t.oid WHERE NOT tgisinternal
      UNION ALL SELECT 'constraint ' || conname || pg_get_constraintdef(k.oid)
          || coalesce(obj_description(k.oid), '')
        FROM t JOIN pg_constraint k ON conrelid = t.oid WHERE contype <> 'n'
      UNION ALL SELECT 'index ' || pg_get_indexdef(indexrelid)
        FROM t JOIN pg_index ON indrelid = oid
      UNION ALL SELECT 'policy ' || polname || pg_get_expr(polwithcheck, polrelid)
        FROM t JOIN pg_policy ON polrelid = t.oid
      UNION ALL SELECT 'publication ' || pubname
        FROM t JOIN pg_publication_rel ON prrelid = t.oid
        JOIN pg_publication p ON p.oid = prpubid
      UNION ALL SELECT 'counter ' || c.oid || c.relname || c.relacl::text
        FROM pg_class c WHERE oid = 'handoff.orders_id_seq'::regclass
      UNION ALL SELECT 'view ' || pg_get_viewdef('public.shown'::regclass)
      ORDER BY 1
      """;

  private EarlierSite earlier;
  private RebaseSite site;

  @BeforeEach
  void create() throws Exception {
    earlier = new EarlierSite(PostgresServer.shared());
    site = earlier.site;
  }

  @AfterEach
  void drop() throws Exception {
    earlier.close();
  }

  @Test
  @Tag("smoke")
  void whatStandsOnTheTableStaysAndHoldsForAllLeaves() throws Exception {
    site.database.server().createRole("shop", "shop-password");
    site.database.execute(
        "ALTER TABLE handoff.orders ADD COLUMN region int DEFAULT 7",
        "CREATE TABLE public.regions (region int PRIMARY KEY)",
        "INSERT INTO public.regions VALUES (7)",
        "ALTER TABLE handoff.orders ADD FOREIGN KEY (region) REFERENCES public.regions",
        "ALTER TABLE handoff.orders ADD CONSTRAINT not_empty CHECK (key <> '')",
        "ALTER TABLE handoff.orders ADD CONSTRAINT not_x CHECK (key <> 'x') NOT VALID",
        "COMMENT ON CONSTRAINT not_x ON handoff.orders IS 'said ''why'''",
        "COMMENT ON TABLE handoff.orders IS 'ours'",
        "CREATE INDEX ON handoff.orders (key)",
        "CREATE TABLE public.seen (what text)",
        """
        CREATE FUNCTION public.see() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
          INSERT INTO public.seen VALUES (TG_ARGV[0]); RETURN NULL; END $$""",
        "CREATE TRIGGER each_row AFTER INSERT ON handoff.orders FOR EACH ROW"
            + " EXECUTE FUNCTION public.see('row')",
        "CREATE TRIGGER each_statement AFTER INSERT ON handoff.orders"
            + " EXECUTE FUNCTION public.see('statement')",
        "ALTER TABLE handoff.orders ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY shops ON handoff.orders FOR INSERT TO shop WITH CHECK (key LIKE 'shop%')",
        "GRANT USAGE ON SCHEMA handoff TO shop",
        "GRANT INSERT (key, payload) ON handoff.orders TO shop",
        "GRANT SELECT ON handoff.orders_id_seq TO shop",
        "GRANT SELECT ON " + PARTITION + " TO shop",
        "CREATE PUBLICATION outside FOR TABLE handoff.orders",
        "CREATE VIEW public.shown AS SELECT key FROM handoff.orders",
        "ALTER TABLE " + PARTITION + " SET (fillfactor = 70, toast.autovacuum_enabled = false)",
        "ALTER TABLE " + PARTITION + " REPLICA IDENTITY FULL");
    site.insert("a");
    List<String> before = ofTheTable();
    assertThat(before).hasSizeGreaterThan(20);

    earlier.turnUntilItHasLeaves();

    assertThat(ofTheTable()).isEqualTo(before);
    assertThat(
            site.database.one(
                """
                SELECT count(DISTINCT attidentity) FROM pg_attribute WHERE attname = 'id'
                  AND attrelid IN (
                    SELECT relid FROM pg_partition_tree('handoff.orders') WHERE level > 0)
                """))
        .as("17 and later have identities in partitions, too")
        .isEqualTo("1");
    earlier.turn();
    earlier.rotate(0);
    site.database.execute("SET ROLE shop", insertOf("key", "'shop'"));
    assertThat(site.database.one("SELECT string_agg(what, ' ') FROM public.seen"))
        .isEqualTo("row statement row statement");
    assertThat(site.database.one("SELECT string_agg(key, ' ') FROM public.shown"))
        .isEqualTo("a shop");
    assertRefused("row-level security", "SET ROLE shop", insertOf("key", "'mine'"));
    assertRefused("not_empty", insertOf("key", "''"));
    assertRefused("not_x", insertOf("key", "'x'"));
    assertRefused("orders_region_fkey", insertOf("region", "8"));
    assertThat(
            site.database.one(
                """
                SELECT string_agg(DISTINCT concat_ws(' ', c.reloptions, t.reloptions,
                  c.relreplident, c.relowner::regrole, c.relacl), ', ')
                FROM pg_class c JOIN pg_class t ON t.oid = c.reltoastrelid
                WHERE c.oid IN (SELECT relid FROM pg_partition_tree('handoff.orders') WHERE isleaf)
                """))
        .startsWith("{fillfactor=70} {autovacuum_enabled=false} f recorder")
        .contains("shop=r/recorder")
        .doesNotContain(", {");
  }

  private List<String> ofTheTable() throws Exception {
    return site.database.query(OF_THE_TABLE, row -> row.getString(1));
  }

  private static String insertOf(String column, String value) {
    return "INSERT INTO handoff.orders (%s, payload) VALUES (%s, '{}')".formatted(column, value);
  }

  private void assertRefused(String why, String... statements) {
    assertThatThrownBy(() -> site.database.execute(statements)).hasMessageContaining(why);
  }

  /** It would be on the first leaf alone, or be lost. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          CREATE TRIGGER mine BEFORE UPDATE ON recorder.handoff_orders_default \
          FOR EACH ROW EXECUTE FUNCTION pg_catalog.suppress_redundant_updates_trigger() \
          | trigger mine is on recorder.handoff_orders_default alone: create it on handoff.orders
          CREATE VIEW public.mine AS SELECT key FROM recorder.handoff_orders_default \
          | public.mine is made of recorder.handoff_orders_default: make it of handoff.orders
          CREATE PUBLICATION mine FOR TABLE recorder.handoff_orders_default \
          | publication mine has recorder.handoff_orders_default alone: let it have handoff.orders
          CREATE UNIQUE INDEX mine ON handoff.orders (id, time) \
          | its index handoff.mine is unique, as none of leaves can be: drop it
          CREATE TABLE public.mine PARTITION OF handoff.orders \
          FOR VALUES FROM ('2001-01-01') TO ('2002-01-01') \
          | public.mine is a partition of it: detach it
          CREATE TABLE recorder.handoff_orders_5 () \
          | there is something else that is called recorder.handoff_orders_5: rename it
          ALTER TABLE recorder.handoff_orders_default RENAME TO mine \
          | it is not the one with the partition recorder.handoff_orders_default
          ALTER TABLE handoff.orders OWNER TO postgres \
          | this role does not own it: let its owner run the output of 'recorder schema'
          """)
  void whatStandsOnItsPartitionAloneKeepsItAsItIs(String statement, String why) throws Exception {
    site.insert("a");
    site.database.execute(statement);

    assertThat(earlier.turn()).singleElement().asString().contains(why);

    assertThat(earlier.leafCount()).isZero();
    site.database.execute(insertOf("key", "'b'"));
    assertThat(site.database.one("SELECT count(*) FROM pg_constraint WHERE conname LIKE 'ids_%'"))
        .isEqualTo("0");
  }

  /** It would turn rows away one day that the table as it stays can have. */
  @Test
  void whatWasBegunIsTakenBackWhenItCannotGoOn() throws Exception {
    site.run("ALTER TABLE " + PARTITION + " ADD CONSTRAINT ids_are_of_leaf_0 CHECK (id < 9)");
    site.database.execute("CREATE VIEW public.mine AS SELECT key FROM " + PARTITION);

    assertThat(earlier.turn()).singleElement().asString().contains("public.mine is made of");

    Patience.await("end of the check")
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              earlier.turn();
              site.run(
                  "INSERT INTO handoff.orders (id, payload) OVERRIDING SYSTEM VALUE"
                      + " VALUES (9, '1')");
            });
  }

  /** It would get rows of tables that it does not have. */
  @Test
  void aSubscriberThatKnowsThePartitionKeepsItAsItIs() throws Exception {
    try (PostgresServer publisher = PostgresServer.builder().set("wal_level", "logical").start();
        EarlierSite published = new EarlierSite(publisher)) {
      published.site.database.execute(
          "CREATE PUBLICATION outside FOR ALL TABLES",
          "SELECT pg_create_logical_replication_slot('elsewhere', 'pgoutput')");

      assertThat(published.turn())
          .singleElement()
          .asString()
          .contains("a subscriber knows rows of publication outside by its partition", "elsewhere");

      published.site.database.execute(
          "ALTER PUBLICATION outside SET (publish_via_partition_root = true)");
      published.turnUntilItHasLeaves();
    }
  }
}
