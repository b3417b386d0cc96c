package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.CaptureNames;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.postgres.sql.UntrustedTypeCode;
import java.util.Map;

/**
 * Finds code of other roles that an expression would run. The triggers' function evaluates the
 * expression with the rights of its owner. So the expression must not use functions, operators and
 * types of untrusted roles, neither directly nor indirectly.
 */
final class CodeOfExpressions {
  /**
   * Objects that the object {@code u} may use. The planner may replace an operator by its
   * commutator or negator. {@code to_json} calls a type's cast to JSON. If a column's type is a
   * domain, only the base type counts, since a domain's constraints are not checked when a value is
   * read. A domain over a composite type counts, since {@code jsonb_populate_record} makes values
   * of it.
   */
  private static final String NEXT =
      """
      SELECT 'pg_proc'::regclass, x.oprcode::oid, 'part' FROM pg_operator x
      WHERE u.classid = 'pg_operator'::regclass AND x.oid = u.oid
      UNION ALL
      SELECT u.classid, unnest(ARRAY[x.oprcom, x.oprnegate]), 'part' FROM pg_operator x
      WHERE u.classid = 'pg_operator'::regclass AND x.oid = u.oid
      UNION ALL
      SELECT 'pg_type'::regclass, unnest(p.prorettype || p.proallargtypes), 'part' FROM pg_proc p
      WHERE u.classid = 'pg_proc'::regclass AND p.oid = u.oid
      UNION ALL
      SELECT e.refclassid, e.refobjid, 'part' FROM pg_depend e
      WHERE u.classid = 'pg_proc'::regclass AND e.classid = u.classid AND e.objid = u.oid
        AND e.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass)
      UNION ALL
      SELECT e.classid, e.oid, CASE WHEN {is_column} THEN 'column' ELSE 'part' END
      FROM pg_type d CROSS JOIN LATERAL (
        SELECT u.classid, p.oid FROM ({parts}) AS p (oid) WHERE NOT {is_column}
          OR p.oid = d.typbasetype
        UNION ALL
        SELECT 'pg_proc'::regclass, c.oid FROM ({called}) AS c (oid) WHERE NOT {is_column}
        UNION ALL
        SELECT 'pg_operator'::regclass, o.oid FROM ({operators}) AS o (oid) WHERE NOT {is_column}
        UNION ALL
        SELECT 'pg_proc'::regclass, c.castfunc FROM pg_cast c
        WHERE c.castsource = d.oid AND c.casttarget IN ('json'::regtype, 'jsonb'::regtype)
        ) AS e (classid, oid)
      WHERE u.classid = 'pg_type'::regclass AND d.oid = u.oid""";

  /** Condition: the type is a domain of a column, and not over a composite type (category C). */
  private static final String IS_COLUMN =
      "(u.how = 'column' AND d.typtype = 'd' AND d.typcategory <> 'C')";

  /**
   * Query over the view's rule {@code r}. An expression that is only a column is written by the
   * type's output function. {@code pg_depend} lacks the server's own objects, and types that {@code
   * JSON_VALUE} and similar functions return. If everybody may create objects in a schema, another
   * role could create a function or operator that fits better than the named one.
   */
  private static final String UNTRUSTED =
      """
      WITH RECURSIVE used (classid, oid, how) AS (
        SELECT d.refclassid, d.refobjid, 'named'
        FROM pg_depend d
        WHERE d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
          AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass)
        UNION
        SELECT 'pg_type'::regclass, m[1]::oid, 'named'
        FROM regexp_matches(r.ev_action::text, ':typid (\\d+)', 'g') AS m
        UNION
        SELECT 'pg_type'::regclass, a.atttypid, 'column'
        FROM pg_depend d JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
        WHERE d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
          AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class AND a.attnum > 0
          AND r.ev_action::text !~ ':targetList \\(\\{TARGETENTRY :expr \\{VAR '
        UNION
        SELECT n.* FROM used u CROSS JOIN LATERAL ({next}) AS n (classid, oid, how)
        WHERE n.oid <> 0)
      SELECT string_agg(DISTINCT pg_describe_object(w.classid, w.oid, 0), ', ') AS name,
        CASE WHEN w.everybody THEN format('in schema %I, where everybody may create another that fits'
            ' better: REVOKE CREATE ON SCHEMA %I FROM PUBLIC', w.namespace, w.namespace)
          ELSE format('whose owner %I could have it do anything with the rights of role %s: read'
            ' it, then let all of it belong to a superuser, or trust that role by GRANT %s TO %I',
            o.rolname, {role}, {role}, o.rolname) END AS why
      FROM (
        SELECT u.classid, u.oid, coalesce(p.proowner, x.oprowner, d.typowner) AS owner, n.nspname,
          u.how = 'named' AND coalesce(has_schema_privilege('public', n.oid, 'CREATE'), false)
        FROM used u
        LEFT JOIN pg_proc p ON u.classid = 'pg_proc'::regclass AND p.oid = u.oid
        LEFT JOIN pg_operator x ON u.classid = 'pg_operator'::regclass AND x.oid = u.oid
        LEFT JOIN pg_type d ON u.classid = 'pg_type'::regclass AND d.oid = u.oid
        LEFT JOIN pg_namespace n ON n.oid = coalesce(p.pronamespace, x.oprnamespace)
        WHERE d.oid IS NULL OR NOT {is_column}) AS w (classid, oid, owner, namespace, everybody)
      JOIN pg_roles o ON o.oid = w.owner
      WHERE w.everybody OR NOT coalesce(
        (SELECT pg_has_role(w.owner, c.oid, 'MEMBER') FROM pg_roles c WHERE c.rolname = {role}),
        o.rolsuper)
      GROUP BY why
      ORDER BY why
      LIMIT 1\
      """;

  private CodeOfExpressions() {}

  /**
   * Returns a query for the forbidden objects that the expression of the view with rule {@code r}
   * uses: their {@code name}, and {@code why} they are forbidden. It has no row if nothing is
   * forbidden. Objects of roles that may act as the function's owner are allowed.
   */
  static String untrusted() {
    return SqlTemplate.fill(
        UNTRUSTED,
        Map.of(
            "is_column",
            IS_COLUMN,
            "role",
            Quoted.literal(CaptureNames.ROLE),
            "next",
            SqlTemplate.fill(
                NEXT,
                Map.of(
                    "is_column",
                    IS_COLUMN,
                    "parts",
                    UntrustedTypeCode.partsOf(),
                    "called",
                    UntrustedTypeCode.calledBy(),
                    "operators",
                    UntrustedTypeCode.operatorsOf()))));
  }
}
