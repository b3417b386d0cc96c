package dev.recorder.schema;

/** Why a table of an earlier version cannot have leaves, see {@link LeafUpgradeSql}. */
final class UpgradeObstacles {
  private UpgradeObstacles() {}

  /**
   * What would be lost or broken, one sentence each; none of a table that can have leaves. What
   * stands on the table itself stays, as the table does; what stands on its partition alone would
   * be on the first leaf alone.
   */
  static final String SQL =
      """
      WITH it AS (
        SELECT t.oid AS top, p.partstrat, p.partdefid, d.oid AS former, d.relkind,
          pg_get_serial_sequence({table_name}, 'id')::regclass AS ids
        FROM pg_class t
        LEFT JOIN pg_partitioned_table p ON p.partrelid = t.oid
        LEFT JOIN pg_class d ON d.oid = to_regclass({partition_name})
        WHERE t.oid = to_regclass({table_name})
      )
      SELECT 'it is not the one with the partition ' || {partition_name} AS why FROM it
        WHERE partstrat IS DISTINCT FROM 'r' OR partdefid IS DISTINCT FROM former
          OR relkind IS DISTINCT FROM 'r'
      UNION ALL
      SELECT format('%s is a partition of it: detach it', inhrelid::regclass)
        FROM it JOIN pg_inherits ON inhparent = top WHERE inhrelid <> former
      UNION ALL
      SELECT format('its index %s is unique, as none of leaves can be: drop it',
          indexrelid::regclass)
        FROM it JOIN pg_index ON indrelid = top WHERE indisunique
      UNION ALL
      SELECT format('its index %s is not valid: drop it, or make it again', indexrelid::regclass)
        FROM it JOIN pg_index ON indrelid = top WHERE NOT indisvalid
      UNION ALL
      SELECT format('trigger %I is on %s alone: create it on %s', tgname, former::regclass,
          top::regclass)
        FROM it JOIN pg_trigger ON tgrelid = former WHERE NOT tgisinternal AND tgparentid = 0
      UNION ALL
      SELECT format('%s is made of %s: make it of %s', ev_class::regclass, former::regclass,
          top::regclass)
        FROM it JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = former
          AND classid = 'pg_rewrite'::regclass
        JOIN pg_rewrite r ON r.oid = objid
      UNION ALL
      SELECT format('foreign key %I of %s refers to %s: drop it', conname, conrelid::regclass,
          confrelid::regclass)
        FROM it JOIN pg_constraint ON confrelid = former WHERE contype = 'f'
      UNION ALL
      SELECT format('publication %I has %s alone: let it have %s', pubname, former::regclass,
          top::regclass)
        FROM it JOIN pg_publication_rel ON prrelid = former JOIN pg_publication p ON p.oid = prpubid
      UNION ALL
      SELECT format('a subscriber knows rows of publication %1$I by its partition (replication'
          || ' slot %2$s): ALTER PUBLICATION %1$I SET (publish_via_partition_root = true), then'
          || ' ALTER SUBSCRIPTION NAME REFRESH PUBLICATION there', p.pubname, s.slot_name)
        FROM it JOIN pg_publication p ON NOT pubviaroot
        JOIN pg_publication_tables t ON t.pubname = p.pubname
          AND t.schemaname || '.' || t.tablename = {partition_name}
        JOIN pg_replication_slots s ON s.slot_type = 'logical' AND NOT s.temporary
          AND s.database = current_database()
      UNION ALL
      SELECT format('subscription %I writes into it: drop it', subname)
        FROM it JOIN pg_subscription_rel ON srrelid IN (top, former)
        JOIN pg_subscription s ON s.oid = srsubid
      UNION ALL
      SELECT format('there is something else that is called %s: rename it', leaf)
        FROM it, unnest({leaf_names}::text[]) leaf WHERE to_regclass(leaf) IS NOT NULL
      UNION ALL
      SELECT format('its ids have come to %s, which is not in the first leaf', last)
        FROM (SELECT CASE WHEN has_sequence_privilege(ids, 'USAGE, SELECT')
            THEN pg_sequence_last_value(ids) END AS last FROM it) counter
        WHERE last > {last_id}
      """;
}
