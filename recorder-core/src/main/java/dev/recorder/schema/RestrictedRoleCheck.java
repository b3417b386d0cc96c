package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Checks that two roles with whose rights foreign code runs may do no more than intended: {@link
 * QueryFunction#READERS}, which may read granted data, and {@link Schema#CAPTURE}, which evaluates
 * the conditions of captures. Roles belong to all databases of a server, so hosts of another
 * database may act as them, too.
 *
 * <p>It ignores rights of PUBLIC.
 */
public final class RestrictedRoleCheck {
  private static final String REMEDY_BY_SCHEMA = "the output of 'recorder schema'";
  private static final int MOST = 20;

  private static final Sql FAULTS =
      Sql.of(
          """
          WITH weak AS (SELECT * FROM pg_roles WHERE rolname IN (:reader, :capture)),
          reader AS (SELECT oid, rolname FROM weak WHERE rolname = :reader),
          attributes AS (
            SELECT w.rolname, a.place, a.may, a.taken FROM weak w CROSS JOIN LATERAL (VALUES
              (1, w.rolsuper, 'is a superuser', 'NOSUPERUSER'),
              (2, w.rolcanlogin, 'may log in', 'NOLOGIN'),
              (3, w.rolcreaterole, 'may create roles', 'NOCREATEROLE'),
              (4, w.rolcreatedb, 'may create databases', 'NOCREATEDB'),
              (5, w.rolreplication, 'may replicate', 'NOREPLICATION')) AS a (place, has, may, taken)
            WHERE a.has),
          functions AS (
            SELECT p.oid, p.proowner, p.prosecdef, p.proacl, p.proname = :document AS of_schema
            FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
            WHERE n.nspname = :control AND (p.proname = :document OR p.proname ~ :entities)),
          granted AS (
            SELECT a.privilege_type AS privilege, r.oid::regclass::text AS place,
              CASE WHEN r.relkind = 'S' THEN 'SEQUENCE ' ELSE '' END || r.oid::regclass AS object
            FROM reader JOIN pg_class r ON r.relowner <> reader.oid
            CROSS JOIN LATERAL aclexplode(r.relacl) AS a
            WHERE a.grantee = reader.oid AND a.privilege_type <> 'SELECT'
            UNION ALL
            SELECT format('%s (%I)', a.privilege_type, c.attname), r.oid::regclass::text,
              r.oid::regclass::text
            FROM reader JOIN pg_attribute c ON c.attacl IS NOT NULL JOIN pg_class r
              ON r.oid = c.attrelid AND r.relowner <> reader.oid
            CROSS JOIN LATERAL aclexplode(c.attacl) AS a
            WHERE a.grantee = reader.oid AND a.privilege_type <> 'SELECT'
            UNION ALL
            SELECT a.privilege_type, format('schema %I', n.nspname), format('SCHEMA %I', n.nspname)
            FROM reader JOIN pg_namespace n ON n.nspowner <> reader.oid
            CROSS JOIN LATERAL aclexplode(n.nspacl) AS a
            WHERE a.grantee = reader.oid AND a.privilege_type <> 'USAGE'
            UNION ALL
            SELECT a.privilege_type, 'the database', format('DATABASE %I', d.datname)
            FROM reader JOIN pg_database d ON d.datname = current_database()
              AND d.datdba <> reader.oid
            CROSS JOIN LATERAL aclexplode(d.datacl) AS a
            WHERE a.grantee = reader.oid AND a.privilege_type <> 'CONNECT')
          SELECT fault, remedy FROM (
            SELECT place, format('role %I %s', rolname, may) AS fault,
              format('ALTER ROLE %I %s;', rolname, taken) AS remedy
            FROM attributes
            UNION ALL
            SELECT 10, format('role %I is a member of role %I', w.rolname, g.rolname),
              format('REVOKE %I FROM %I;', g.rolname, w.rolname)
            FROM weak w JOIN pg_auth_members m ON m.member = w.oid JOIN pg_roles g ON g.oid = m.roleid
            UNION ALL
            SELECT 11, format('role %I owns %s %s', reader.rolname, o.type, o.identity),
              format('ALTER %s %s OWNER TO CURRENT_USER;', upper(o.type), o.identity)
            FROM reader JOIN pg_shdepend d ON d.refclassid = 'pg_authid'::regclass
              AND d.refobjid = reader.oid AND d.deptype = 'o' AND d.dbid IN (0,
                (SELECT b.oid FROM pg_database b WHERE b.datname = current_database()))
            CROSS JOIN LATERAL pg_identify_object(d.classid, d.objid, d.objsubid) AS o
            WHERE NOT (d.classid = 'pg_proc'::regclass AND EXISTS (SELECT FROM pg_proc p
              WHERE p.oid = d.objid AND (p.proname = :document OR p.proname ~ :entities)))
            UNION ALL
            SELECT 12, format('role %I has %s on %s', reader.rolname, g.privilege, g.place),
              format('REVOKE %s ON %s FROM %I;', g.privilege, g.object, reader.rolname)
            FROM reader CROSS JOIN granted g
            UNION ALL
            SELECT 13, format('function %s %s', f.oid::regprocedure, CASE
                WHEN f.proowner <> reader.oid THEN format('belongs to role %I, and not to %I',
                  pg_get_userbyid(f.proowner), reader.rolname)
                WHEN NOT f.prosecdef THEN 'runs with the rights of whoever calls it'
                ELSE 'may be called by every role' END),
              CASE WHEN f.of_schema THEN :by_schema
                ELSE '''recorder capture add'' of a capture with --entity, and with --again' END
            FROM functions f CROSS JOIN reader
            WHERE f.proowner <> reader.oid OR NOT f.prosecdef OR f.proacl IS NULL
              OR EXISTS (SELECT FROM aclexplode(f.proacl) AS a WHERE a.grantee = 0)) AS faults
          ORDER BY place, fault LIMIT :most
          """);

  /**
   * Administrators are left out, who may do everything anyway, and roles that own objects or were
   * granted rights in this database.
   */
  private static final Sql MEMBERS =
      Sql.of(
          """
          SELECT format('role %I, which may connect to this database, may act as %s: unless it belongs to'
              ' this database, run REVOKE CONNECT ON DATABASE %I FROM PUBLIC, %I, once each role that'
              ' needs it has CONNECT by itself', m.rolname, string_agg(w.rolname, ' and '
              ORDER BY w.rolname), current_database(), m.rolname)
          FROM pg_roles w JOIN pg_roles m ON EXISTS (SELECT FROM pg_auth_members a
            WHERE a.roleid = w.oid AND a.member = m.oid)
          WHERE w.rolname IN (:reader, :capture) AND m.rolname <> current_user AND NOT m.rolsuper
            AND NOT (m.rolcreaterole AND current_setting('server_version_num')::int < 160000)
            AND NOT pg_has_role(m.oid, w.oid, 'MEMBER WITH ADMIN OPTION')
            AND NOT has_database_privilege(m.oid, current_database(), 'CREATE')
            AND has_database_privilege(m.oid, current_database(), 'CONNECT')
            AND NOT EXISTS (SELECT FROM pg_shdepend d WHERE d.refobjid = m.oid
              AND d.refclassid = 'pg_authid'::regclass
              AND d.dbid = (SELECT b.oid FROM pg_database b WHERE b.datname = current_database()))
          GROUP BY m.rolname ORDER BY m.rolname LIMIT :most
          """);

  /**
   * Returns roles that may act as these roles here, such as those of hosts of another database of
   * the server: one sentence for each, with the remedy.
   */
  public List<String> members(Connection connection) throws SQLException {
    try (SqlStatement statement = MEMBERS.on(connection)) {
      return statement
          .set("reader", QueryFunction.READERS)
          .set("capture", Schema.CAPTURE)
          .set("most", MOST)
          .all(row -> row.getString(1));
    }
  }

  private final SchemaNames schemas;

  public RestrictedRoleCheck(SchemaNames schemas) {
    this.schemas = schemas;
  }

  /**
   * Returns one sentence for each surplus right, with the remedy; none if the role does not exist
   * yet.
   */
  public List<String> faults(Connection connection) throws SQLException {
    try (SqlStatement statement = FAULTS.on(connection)) {
      return statement
          .set("reader", QueryFunction.READERS)
          .set("capture", Schema.CAPTURE)
          .set("control", schemas.control())
          .set("document", QueryFunction.NAME)
          .set("entities", QueryFunction.ENTITIES)
          .set("by_schema", REMEDY_BY_SCHEMA)
          .set("most", MOST)
          .all(row -> row.getString(1) + ": run " + row.getString(2));
    }
  }
}
