package dev.recorder.schema;

import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * Decides which roles may own objects that hosts and administrators use. A table's owner can run
 * code, for example in a trigger, with the rights of the table's users. Therefore only roles that
 * may act as the hosts' role anyway, or that administer the database, are trusted. Before
 * PostgreSQL 16, a role that may create roles is an administrator; since then it administers only
 * roles that it has created.
 */
final class TrustedOwner {
  private TrustedOwner() {}

  private static final String IS_OTHER =
      """
      NOT (r.rolsuper
        OR r.rolcreaterole AND current_setting('server_version_num')::int < 160000
        OR r.oid = (SELECT d.datdba FROM pg_database d WHERE d.datname = current_database())
        OR r.rolname IN (current_user, {role}, 'pg_database_owner', '{capture}', '{reader}')
        OR EXISTS (SELECT FROM pg_roles h WHERE h.rolname = {role}
          AND pg_has_role(r.oid, h.oid, 'MEMBER WITH ADMIN OPTION'))
        OR EXISTS (SELECT FROM pg_roles h
          WHERE h.rolname IN ('rds_superuser', 'cloudsqlsuperuser', 'azure_pg_admin')
          AND pg_has_role(r.oid, h.oid, 'MEMBER')))\
      """;

  /**
   * Returns an SQL condition that the role {@code r} is not trusted.
   *
   * @param role SQL expression of the hosts' role
   */
  static String isOther(String role) {
    return SqlTemplate.fill(
        IS_OTHER, Map.of("role", role, "capture", Schema.CAPTURE, "reader", QueryFunction.READERS));
  }
}
