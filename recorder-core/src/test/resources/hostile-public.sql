-- Run by mallory, who may create in schema public and nothing else. Each thing that is made here
-- does what its namesake in pg_catalog does, and notes in whose name it was called.

SET search_path = pg_catalog;
SET check_function_bodies = off;

CREATE TABLE public.trapped (who name, application text, what text);
GRANT SELECT, INSERT, DELETE ON public.trapped TO PUBLIC;

CREATE FUNCTION public.sprung(what text) RETURNS boolean LANGUAGE plpgsql
  SET search_path = pg_catalog AS $f$
BEGIN
  INSERT INTO public.trapped
    VALUES (current_user, current_setting('application_name'), what);
  RETURN true;
END $f$;

-- Functions: of the same arguments, for sessions that look into public first, and of arguments
-- that fit better than those of pg_catalog, for all others.
DO $plant$
DECLARE
  f record;
  variant text;
  given text;
BEGIN
  FOR f IN
    SELECT p.proname, p.proretset, p.proisstrict,
        coalesce(string_agg(format_type(a.type, NULL), ',' ORDER BY a.place), '') AS types,
        coalesce(string_agg('$' || a.place, ',' ORDER BY a.place), '') AS args,
        format_type(p.prorettype, NULL) AS result,
        CASE p.provolatile WHEN 'i' THEN 'IMMUTABLE' WHEN 's' THEN 'STABLE' END AS volatility
      FROM pg_proc p
      LEFT JOIN LATERAL unnest(p.proargtypes) WITH ORDINALITY AS a (type, place) ON true
      LEFT JOIN pg_type t ON t.oid = a.type
      WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f'
        AND p.provariadic = 0
        AND (p.prorettype = 'void'::regtype
          OR (SELECT r.typtype <> 'p' FROM pg_type r WHERE r.oid = p.prorettype))
      GROUP BY p.oid
      HAVING coalesce(bool_and(t.typtype <> 'p'), true)
  LOOP
    FOREACH variant IN ARRAY ARRAY[
        f.types,
        regexp_replace(f.types, '\mtext\M', 'character varying', 'g'),
        regexp_replace(f.types, '\mbigint\M', 'integer', 'g')]
    LOOP
      given := format('pg_catalog.%I(%s)', f.proname, f.args);
      BEGIN
        EXECUTE format(
          'CREATE FUNCTION public.%I(%s) RETURNS %s %s %s %s LANGUAGE plpgsql AS %L',
          f.proname, variant, CASE WHEN f.proretset THEN 'SETOF' END, f.result,
          CASE WHEN f.proisstrict THEN 'STRICT' END, f.volatility,
          format('BEGIN PERFORM public.sprung(%L); %s; END',
            f.proname || '(' || variant || ')',
            CASE WHEN f.result = 'void' THEN 'PERFORM ' || given
              WHEN f.proretset THEN 'RETURN QUERY SELECT ' || given
              ELSE 'RETURN ' || given END));
      EXCEPTION WHEN duplicate_function THEN NULL;
      END;
    END LOOP;
  END LOOP;

  FOREACH variant IN ARRAY ARRAY['text,name,text', 'text,name,name', 'text,text,text', 'text,name',
      'text,text', 'text,name,character varying', 'text,name,name,text'] LOOP
    EXECUTE format('CREATE FUNCTION public.format(%s) RETURNS text LANGUAGE plpgsql AS %L', variant,
      format('BEGIN PERFORM public.sprung(%L); RETURN pg_catalog.format(%s); END',
        'format(' || variant || ')',
        array_to_string((ARRAY['$1', '$2', '$3', '$4'])[
          1:array_length(string_to_array(variant, ','), 1)], ',')));
  END LOOP;

  FOREACH variant IN ARRAY ARRAY['integer', 'bigint', 'text', 'xid8', 'name'] LOOP
    EXECUTE format('CREATE FUNCTION public.unnest(%s[]) RETURNS SETOF %s LANGUAGE plpgsql AS %L',
      variant, variant,
      format('BEGIN PERFORM public.sprung(%L); RETURN QUERY SELECT pg_catalog.unnest($1); END',
        'unnest(' || variant || '[])'));
  END LOOP;
END $plant$;

CREATE FUNCTION public.pg_stat_get_activity(integer)
  RETURNS TABLE (pid integer, backend_start timestamptz) LANGUAGE plpgsql AS $f$
BEGIN
  PERFORM public.sprung('pg_stat_get_activity');
  RETURN QUERY SELECT s.pid, s.backend_start FROM pg_catalog.pg_stat_get_activity($1) s;
END $f$;

-- Operators, likewise.
DO $plant$
DECLARE
  o record;
  number integer := 0;
BEGIN
  FOR o IN
    WITH of_catalog AS (
      SELECT oprname AS name, oprleft AS l, oprright AS r, oprresult AS result,
          oprleft AS as_l, oprright AS as_r
        FROM pg_operator WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprkind = 'b'
    ), wide (wide, narrow) AS (
      VALUES ('text'::regtype, 'text'::regtype), ('text', 'character varying'), ('text', 'name'),
        ('numeric', 'numeric'), ('numeric', 'integer'), ('numeric', 'bigint'),
        ('double precision', 'double precision'), ('double precision', 'integer'),
        ('double precision', 'bigint'), ('oid', 'oid'), ('oid', 'integer'), ('oid', 'bigint'),
        ('interval', 'interval'), ('timestamptz', 'timestamptz'), ('timestamptz', 'date')
    ), better AS (
      SELECT c.name, l.narrow AS l, r.narrow AS r, c.result, c.l AS as_l, c.r AS as_r
        FROM of_catalog c JOIN wide l ON l.wide = c.l JOIN wide r ON r.wide = c.r
        WHERE NOT EXISTS (SELECT FROM of_catalog same
          WHERE same.name = c.name AND same.l = l.narrow AND same.r = r.narrow)
    )
    SELECT DISTINCT ON (name, l, r) name, l::regtype::text AS l, r::regtype::text AS r,
        result::regtype::text AS result, as_l::regtype::text AS as_l, as_r::regtype::text AS as_r
      FROM (SELECT * FROM of_catalog UNION ALL SELECT * FROM better) planned
      WHERE NOT EXISTS (SELECT FROM pg_type t WHERE t.oid IN (l, r, result) AND t.typtype = 'p')
  LOOP
    number := number + 1;
    EXECUTE format(
      'CREATE FUNCTION public.trap_%s(%s, %s) RETURNS %s STRICT IMMUTABLE LANGUAGE plpgsql AS %L',
      number, o.l, o.r, o.result,
      format('BEGIN PERFORM public.sprung(%L);'
          || ' RETURN $1::pg_catalog.%s OPERATOR(pg_catalog.%s) $2::pg_catalog.%s; END',
        o.name || '(' || o.l || ',' || o.r || ')',
        (SELECT quote_ident(typname) FROM pg_type WHERE oid = o.as_l::regtype), o.name,
        (SELECT quote_ident(typname) FROM pg_type WHERE oid = o.as_r::regtype)));
    EXECUTE format('CREATE OPERATOR public.%s (FUNCTION = public.trap_%s, LEFTARG = %s, RIGHTARG = %s)',
      o.name, number, o.l, o.r);
  END LOOP;
END $plant$;

-- Aggregates.
CREATE FUNCTION public.trap_count(bigint) RETURNS bigint LANGUAGE plpgsql AS
  $f$ BEGIN PERFORM public.sprung('count(*)'); RETURN $1 OPERATOR(pg_catalog.+) 1; END $f$;
CREATE AGGREGATE public.count(*) (SFUNC = public.trap_count, STYPE = bigint, INITCOND = '0');
CREATE FUNCTION public.trap_count(bigint, anyelement) RETURNS bigint LANGUAGE plpgsql AS
  $f$ BEGIN PERFORM public.sprung('count(any)');
    RETURN CASE WHEN $2 IS NULL THEN $1 ELSE $1 OPERATOR(pg_catalog.+) 1 END; END $f$;
CREATE AGGREGATE public.count(anyelement)
  (SFUNC = public.trap_count, STYPE = bigint, INITCOND = '0');
CREATE FUNCTION public.trap_max(integer, integer) RETURNS integer LANGUAGE plpgsql AS
  $f$ BEGIN PERFORM public.sprung('max(integer)'); RETURN greatest($1, $2); END $f$;
CREATE AGGREGATE public.max(integer) (SFUNC = public.trap_max, STYPE = integer);
CREATE FUNCTION public.trap_max(bigint, bigint) RETURNS bigint LANGUAGE plpgsql AS
  $f$ BEGIN PERFORM public.sprung('max(bigint)'); RETURN greatest($1, $2); END $f$;
CREATE AGGREGATE public.max(bigint) (SFUNC = public.trap_max, STYPE = bigint);

-- Relations: catalogs, and what the recorder calls its own. Their columns beside the trap.
DO $plant$
DECLARE
  c record;
BEGIN
  FOR c IN
    SELECT k.relname, string_agg(quote_ident(a.attname), ',' ORDER BY a.attnum) AS columns
      FROM pg_class k JOIN pg_attribute a ON a.attrelid = k.oid AND a.attnum > 0
        JOIN pg_type t ON t.oid = a.atttypid AND t.typtype <> 'p'
      WHERE k.relnamespace = 'pg_catalog'::regnamespace AND k.relkind IN ('r', 'v')
        AND k.relname NOT LIKE 'pg_statistic%'
      GROUP BY k.oid, k.relname
  LOOP
    EXECUTE format('CREATE VIEW public.%I AS SELECT %s FROM pg_catalog.%I WHERE public.sprung(%L)',
      c.relname, c.columns, c.relname, c.relname);
    EXECUTE format('GRANT SELECT ON public.%I TO PUBLIC', c.relname);
  END LOOP;
  FOR c IN
    SELECT unnest(ARRAY['schema_info', 'info_recorders', 'lock_recorders', 'slots', 'exclusions',
      'takeovers', 'lock_mutex', 'lock_timeout', 'lock_task', 'orders', 'audit', 'jobs']) AS relname
  LOOP
    EXECUTE format('CREATE VIEW public.%I AS SELECT public.sprung(%L)', c.relname, c.relname);
    EXECUTE format('GRANT ALL ON public.%I TO PUBLIC', c.relname);
  END LOOP;
  CREATE SEQUENCE public.lock_token;
END $plant$;

-- Types, for casts.
DO $plant$
DECLARE
  type text;
BEGIN
  FOREACH type IN ARRAY ARRAY['text', 'json', 'xid8', 'pg_snapshot', 'uuid', 'timestamptz',
      'regclass', 'oid'] LOOP
    EXECUTE format('CREATE DOMAIN public.%I AS pg_catalog.%I CHECK (public.sprung(%L))',
      type, type, 'type ' || type);
  END LOOP;
END $plant$;
