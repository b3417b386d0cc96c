package dev.recorder.schema;

import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * Who may own what hosts and administrators use: a table's owner can have whoever uses it run code
 * of its own, as by a trigger. So only who may act as the hosts' role anyway, or administers the
 * database. Who may create roles is an administrator before PostgreSQL 16: from then on only of the
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
   * SQL condition: the role {@code r} is none of these.
   *
   * @param role SQL expression of the hosts' role
   */
  static String isOther(String role) {
    return SqlTemplate.fill(
        IS_OTHER, Map.of("role", role, "capture", Schema.CAPTURE, "reader", QueryFunction.READERS));
  }
}
