package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Finds rights of other roles on our tables, sequences and functions beyond those that {@link
 * Schema} and the scripts of captures grant. This includes rights that {@link DefaultPrivileges}
 * did not revoke, from any grantor.
 *
 * <p>It ignores the right to read, rights on columns, which producers have, and rights on tables of
 * locks; for {@link QueryFunction#READERS} see {@link RestrictedRoleCheck}. REFERENCES, and foreign
 * keys that it allowed, are always reported. On servers before PostgreSQL 18, a cascade runs
 * triggers of the referring table as the role that deletes a row of ours.
 */
public final class ForeignRights {
  private static final int MOST = 20;

  private static final Sql FAULTS =
      Sql.of(
          """
          WITH ours AS (
            SELECT c.oid, c.relname, c.relkind, c.relowner, c.relacl,
              n.nspname = :control AND c.relname LIKE 'lock\\_%'
                AND c.relname <> 'lock_recorders' AS is_lock
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'S')
              AND (n.nspname = :control
                OR n.nspname = :handoff AND EXISTS (
                  SELECT FROM pg_constraint k WHERE k.conname = :limit AND (k.conrelid = c.oid
                    OR k.conrelid IN (SELECT d.refobjid FROM pg_depend d
                      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
                        AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')))))),
          granted AS (
            SELECT a.grantee, a.privilege_type AS privilege, o.oid::regclass::text AS place,
              CASE o.relkind WHEN 'S' THEN 'SEQUENCE ' ELSE '' END || o.oid::regclass AS object
            FROM ours o CROSS JOIN LATERAL aclexplode(o.relacl) AS a
            WHERE a.grantee <> o.relowner AND a.privilege_type <> 'SELECT'
              AND (a.privilege_type = 'REFERENCES' OR NOT o.is_lock)
              AND NOT (a.grantee = (SELECT r.oid FROM pg_roles r WHERE r.rolname = :capture)
                AND (o.relkind = 'S' AND o.relname LIKE 'capture\\_%' AND a.privilege_type = 'USAGE'
                  OR o.relname IN ('told_columns', 'detached_changes')
                  AND a.privilege_type = 'INSERT'))
            UNION ALL
            SELECT a.grantee, format('REFERENCES (%I)', c.attname), o.oid::regclass::text,
              o.oid::regclass::text
            FROM ours o JOIN pg_attribute c ON c.attrelid = o.oid
            CROSS JOIN LATERAL aclexplode(c.attacl) AS a
            WHERE a.grantee <> o.relowner AND a.privilege_type = 'REFERENCES'
            UNION ALL
            SELECT a.grantee, a.privilege_type, format('schema %I', n.nspname),
              format('SCHEMA %I', n.nspname)
            FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) AS a
            WHERE n.nspname IN (:control, :handoff) AND a.grantee <> n.nspowner
              AND a.privilege_type <> 'USAGE'
            UNION ALL
            SELECT a.grantee, a.privilege_type, 'function ' || p.oid::regprocedure,
              'FUNCTION ' || p.oid::regprocedure
            FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
            CROSS JOIN LATERAL aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a
            WHERE n.nspname = :control AND p.prosecdef AND a.grantee <> p.proowner
              AND (a.grantee <> 0 OR p.proname <> :document AND p.proname !~ :entities)
              AND NOT (p.proname ~ :entities AND a.grantee = (
                SELECT r.oid FROM pg_roles r WHERE r.rolname = :capture)))
          SELECT format('%s has %s on %s: run REVOKE %s ON %s FROM %s;',
            CASE g.grantee WHEN 0 THEN 'everybody' ELSE format('role %I', r.rolname) END,
            g.privilege, g.place, g.privilege, g.object,
            CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(r.rolname) END)
          FROM granted g LEFT JOIN pg_roles r ON r.oid = g.grantee
          WHERE r.rolname IS DISTINCT FROM current_user AND r.rolname IS DISTINCT FROM :reader
            AND r.rolsuper IS NOT TRUE
          UNION ALL
          SELECT format('%s of role %I refers to %s: run ALTER TABLE %1$s DROP CONSTRAINT %4$I;',
            k.conrelid::regclass, pg_get_userbyid(c.relowner), o.oid::regclass, k.conname)
          FROM ours o JOIN pg_constraint k ON k.confrelid = o.oid AND k.contype = 'f'
            JOIN pg_class c ON c.oid = k.conrelid
          WHERE k.conparentid = 0 AND c.relowner <> o.relowner
            AND NOT pg_has_role(c.relowner, current_user, 'USAGE')
          ORDER BY 1 LIMIT :most
          """);

  private final SchemaNames schemas;

  public ForeignRights(SchemaNames schemas) {
    this.schemas = schemas;
  }

  /** Returns one sentence for each right, with the statement that revokes it. */
  public List<String> faults(Connection connection) throws SQLException {
    try (SqlStatement statement = FAULTS.on(connection)) {
      return statement
          .set("control", schemas.control())
          .set("handoff", schemas.handoff())
          .set("limit", PayloadLimit.NAME)
          .set("capture", Schema.CAPTURE)
          .set("reader", QueryFunction.READERS)
          .set("document", QueryFunction.NAME)
          .set("entities", QueryFunction.ENTITIES)
          .set("most", MOST)
          .all(row -> row.getString(1));
    }
  }
}
