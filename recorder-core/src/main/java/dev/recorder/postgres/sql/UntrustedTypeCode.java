package dev.recorder.postgres.sql;

import java.util.Map;

/** Finds code of untrusted roles that using a type would run with the session's rights. */
public final class UntrustedTypeCode {
  /**
   * Selects the functions that using the type {@code d} calls. For a domain, these are the
   * functions in its CHECKs and DEFAULT, called directly or through operators, including operators
   * that the planner may substitute. For a range type, these are the functions that measure and
   * order its values, as in ANALYZE.
   */
  private static final String CALLS =
      """
      SELECT unnest(ARRAY[g.rngcanonical, g.rngsubdiff]) AS oid
      FROM pg_range g WHERE g.rngtypid = d.oid
      UNION ALL
      SELECT m.amproc FROM pg_range g JOIN pg_opclass c ON c.oid = g.rngsubopc
        JOIN pg_amproc m ON m.amprocfamily = c.opcfamily
      WHERE g.rngtypid = d.oid
      UNION ALL
      SELECT coalesce(o.oprcode, e.refobjid)
      FROM pg_depend e
      LEFT JOIN pg_operator x
        ON x.oid = e.refobjid AND e.refclassid = 'pg_operator'::regclass
      LEFT JOIN pg_operator o ON o.oid IN (x.oid, x.oprcom, x.oprnegate)
      WHERE d.typtype = 'd' AND {of_domain}
        AND e.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass)
      """;

  /**
   * The condition that a CHECK or DEFAULT of the domain {@code d} depends on the object that {@code
   * e} names.
   */
  private static final String OF_DOMAIN =
      """
      (e.classid = 'pg_type'::regclass AND e.objid = d.oid
            OR e.classid = 'pg_constraint'::regclass AND e.objid IN (
              SELECT k.oid FROM pg_constraint k WHERE k.contypid = d.oid))""";

  private static final String OPERATORS =
      """
      SELECT e.refobjid FROM pg_depend e
      WHERE d.typtype = 'd' AND {of_domain} AND e.refclassid = 'pg_operator'::regclass""";

  private static final String MADE_OF =
      """
      SELECT unnest(ARRAY[d.typelem, d.typbasetype])
      UNION ALL
      SELECT a.atttypid FROM pg_attribute a
      WHERE a.attrelid = d.typrelid AND a.attnum > 0 AND NOT a.attisdropped
      UNION ALL
      SELECT r.rngsubtype FROM pg_range r WHERE r.rngtypid = d.oid
      UNION ALL
      SELECT r.rngtypid FROM pg_range r WHERE r.rngmultitypid = d.oid
      UNION ALL
      SELECT e.refobjid FROM pg_depend e
      WHERE d.typtype = 'd' AND {of_domain}
        AND e.refclassid = 'pg_type'::regclass""";

  private static final String OBSTACLE =
      """
      (WITH RECURSIVE part AS (
        SELECT t.oid
        UNION
        SELECT p.oid FROM part JOIN pg_type d ON d.oid = part.oid CROSS JOIN LATERAL (
            {parts}) AS p (oid)
        WHERE p.oid <> 0)
      SELECT min(o.obstacle) FROM part JOIN pg_type d ON d.oid = part.oid CROSS JOIN LATERAL (
          SELECT format('a CHECK or DEFAULT of domain %s of role %I would run with the rights'
              || ' of {whose} (read them, then ALTER DOMAIN … OWNER TO)',
            format_type(d.oid, NULL), pg_get_userbyid(d.typowner)) AS obstacle
          WHERE d.typtype = 'd' AND NOT pg_has_role(d.typowner, current_user, 'USAGE')
          UNION ALL
          SELECT format('function %s of role %I would run with the rights of {whose},'
              || ' since type %s calls it (read it, then ALTER FUNCTION … OWNER TO)',
            f.oid::regprocedure, pg_get_userbyid(f.proowner), format_type(d.oid, NULL))
          FROM ({called}) AS c JOIN pg_proc f ON f.oid = c.oid
          WHERE NOT pg_has_role(f.proowner, current_user, 'USAGE')
          UNION ALL
          SELECT format('%s is the row of a table, which may change', format_type(d.oid, NULL))
          FROM pg_class w WHERE w.oid = d.typrelid AND w.relkind <> 'c') AS o)""";

  private UntrustedTypeCode() {}

  /**
   * Returns an SQL expression for the reason why the type {@code t} must not be used; NULL if it
   * may be used. There are three reasons. The type contains a domain of another role, which may add
   * a CHECK at any time. It contains a type that calls another role's function. It contains the row
   * type of a table, which may change.
   *
   * @param whose whose rights these are, as a text within an SQL literal
   */
  public static String obstacle(String whose) {
    return SqlTemplate.fill(
        OBSTACLE, Map.of("whose", whose, "called", calledBy(), "parts", partsOf()));
  }

  /**
   * Returns a query for the types of which {@code d} consists or by which it is checked; 0 stands
   * for no type.
   */
  public static String partsOf() {
    return SqlTemplate.fill(MADE_OF, Map.of("of_domain", OF_DOMAIN));
  }

  /** Returns a query for the functions that using the type {@code d} calls. */
  public static String calledBy() {
    return SqlTemplate.fill(CALLS, Map.of("of_domain", OF_DOMAIN));
  }

  /** Returns a query for the operators in the CHECKs and DEFAULT of the domain {@code d}. */
  public static String operatorsOf() {
    return SqlTemplate.fill(OPERATORS, Map.of("of_domain", OF_DOMAIN));
  }
}
