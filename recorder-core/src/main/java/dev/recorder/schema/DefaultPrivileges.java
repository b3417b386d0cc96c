package dev.recorder.schema;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.List;
import java.util.Map;

/**
 * Revokes rights on our tables, sequences and functions that other roles have through {@code ALTER
 * DEFAULT PRIVILEGES}. A role that may use the sequence of captures could forge changes, and a role
 * that may call a function that runs with its owner's rights could use these rights. The statements
 * must run where these objects are created, before rights on them are granted.
 *
 * <p>Rights granted on a single object stay, and so does the right to read.
 */
public final class DefaultPrivileges {
  private static final String OF_RELATIONS =
      """
      DO $$
      DECLARE
        taken text;
      BEGIN
        FOR taken IN
          WITH RECURSIVE made AS (
            SELECT unnest({names}::regclass[])::oid AS oid
            UNION
            SELECT d.objid FROM made JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass
              AND d.refobjid = made.oid AND d.classid = 'pg_class'::regclass
              AND d.deptype IN ('a', 'i')),
          has AS (
            SELECT CASE c.relkind WHEN 'S' THEN 'S' ELSE 'r' END AS kind, c.relnamespace AS schema,
              c.relowner AS owner, c.relacl AS acl,
              CASE c.relkind WHEN 'S' THEN 'SEQUENCE ' ELSE '' END || c.oid::regclass AS object
            FROM made JOIN pg_class c ON c.oid = made.oid AND c.relkind IN ('r', 'p', 'S')
            UNION
            SELECT 'n', 0, n.nspowner, n.nspacl, format('SCHEMA %I', n.nspname)
            FROM made JOIN pg_class c ON c.oid = made.oid
            JOIN pg_namespace n ON n.oid = c.relnamespace)
          SELECT format('REVOKE %s ON %s FROM %s CASCADE', a.privilege_type, has.object,
            CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END)
          FROM has JOIN pg_default_acl d ON d.defaclrole = has.owner
            AND d.defaclnamespace IN (0, has.schema) AND d.defaclobjtype = has.kind::"char"
          CROSS JOIN LATERAL aclexplode(d.defaclacl) AS a
          WHERE a.grantee <> has.owner AND pg_has_role(has.owner, 'USAGE')
            AND a.privilege_type <> CASE has.kind WHEN 'n' THEN 'USAGE' ELSE 'SELECT' END
            AND EXISTS (SELECT FROM aclexplode(has.acl) AS h
              WHERE h.grantee = a.grantee AND h.privilege_type = a.privilege_type)
        LOOP
          EXECUTE taken;
        END LOOP;
      END $$""";

  private static final String OF_FUNCTION =
      """
      DO $$
      DECLARE
        others text;
      BEGIN
        FOR others IN
          SELECT DISTINCT
            CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END
          FROM pg_proc p
          CROSS JOIN LATERAL aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a
          WHERE p.oid = {function}::regprocedure AND a.grantee <> p.proowner
        LOOP
          EXECUTE format('REVOKE ALL ON FUNCTION %s FROM %s CASCADE',
            {function}::regprocedure, others);
        END LOOP;
      END $$""";

  private DefaultPrivileges() {}

  /**
   * Returns the statement for tables, their partitions and the sequences of their columns, and for
   * sequences.
   *
   * @param names qualified names
   */
  public static String ofRelations(List<String> names) {
    return SqlTemplate.fill(OF_RELATIONS, Map.of("names", Quoted.array(names)));
  }

  /**
   * Returns the statement for a function, after which only the function's owner may call it.
   *
   * @param signature its qualified name and the types of its arguments
   */
  public static String ofFunction(String signature) {
    return SqlTemplate.fill(OF_FUNCTION, Map.of("function", Quoted.literal(signature)));
  }
}
