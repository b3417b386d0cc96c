-- The hand-off table of one recorder, and the rights on it. Everything may be run again, with the
-- settings of control.sql: what is there already is not locked.

-- # Table of a log
-- It is made of leaves, which are emptied underneath while producers keep writing to the one name:
-- nothing is created, attached or dropped later, which would lock them out. Rows find their leaf by
-- their id alone. xid and id are the database's to give.
CREATE TABLE IF NOT EXISTS {table} (
  id bigint GENERATED ALWAYS AS IDENTITY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  time timestamptz NOT NULL DEFAULT now() CHECK (isfinite(time)),
  key text,
  payload json NOT NULL
) PARTITION BY LIST (((id >> {block_bits}) & {last_leaf}));

-- Nothing is unique in a leaf that an index could say: so that a publication for all tables does
-- not keep a rebase from renumbering rows, all columns tell which row it was.
DO $$
DECLARE
  leaf text;
  number int;
BEGIN
  FOR leaf, number IN SELECT name, place - 1
      FROM unnest(string_to_array('{leaves}', ', ')) WITH ORDINALITY AS leaves (name, place) LOOP
    EXECUTE format('CREATE TABLE IF NOT EXISTS %s PARTITION OF {table} FOR VALUES IN (%s)',
      leaf, number);
    IF (SELECT relreplident FROM pg_class WHERE oid = leaf::regclass) = 'd' THEN
      EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', leaf);
    END IF;
  END LOOP;
END $$;

-- CREATE INDEX IF NOT EXISTS would lock out whoever writes before it looks whether there is one.
DO $$
BEGIN
  IF to_regclass('{handoff}.{recorder}_xid_id') IS NULL THEN
    CREATE INDEX {recorder}_xid_id ON {table} (xid, id);
  END IF;
END $$;

-- Checks for rows to come: NOT VALID, so that a table that has others already gets them, and a dump
-- can be restored and repaired. Their names are what a producer reads in the error. One with
-- another limit is replaced. What few rows have to be asked is asked by functions: each word here
-- costs every producer.
DO $$
DECLARE
  made json := (SELECT json_object_agg(conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE conrelid = '{table}'::regclass AND contype = 'c');
BEGIN
  -- Rows with transaction numbers of another database. What a logical replication brings, which no
  -- ordinary role can pretend to be, is let in: a subscription that fails would fail forever. Such
  -- rows, and the two numbers that a repair gives, are a matter of recorder rebase.
  IF coalesce(made ->> 'xid_is_own', '') NOT LIKE '%may_renumber%' THEN
    ALTER TABLE {table} DROP CONSTRAINT IF EXISTS xid_is_own,
      ADD CONSTRAINT xid_is_own
        CHECK (xid = pg_current_xact_id() OR {control}.may_renumber(xid)) NOT VALID;
  END IF;
  -- Keys are not to be what only payloads are bounded for.
  IF coalesce(made ->> 'key_within_8192_bytes', '') NOT LIKE '%<= 8192)%' THEN
    ALTER TABLE {table} DROP CONSTRAINT IF EXISTS key_within_8192_bytes,
      ADD CONSTRAINT key_within_8192_bytes CHECK (octet_length(key) <= 8192) NOT VALID;
  END IF;
  -- Captured changes of whoever may not number them: only who may use the sequence of captures
  -- writes some, and a replication.
  IF coalesce(made ->> 'only_captures_write_changes', '') NOT LIKE '%may_write_change%' THEN
    ALTER TABLE {table} DROP CONSTRAINT IF EXISTS only_captures_write_changes,
      ADD CONSTRAINT only_captures_write_changes CHECK (NOT starts_with(payload::text, {change})
        OR {control}.may_write_change('{recorder}', payload)) NOT VALID;
  END IF;
  -- Hosts, too, set this one when they start.
  IF coalesce(made ->> 'payload_within_max_payload', '') NOT LIKE '%<= {max_payload})%' THEN
    ALTER TABLE {table} DROP CONSTRAINT IF EXISTS payload_within_max_payload,
      ADD CONSTRAINT payload_within_max_payload
        CHECK (octet_length(payload::text) <= {max_payload}) NOT VALID;
  END IF;
END $$;

-- # Both tables
-- Whose rows these are: hosts of another installation refuse the table.
DO $$
BEGIN
  IF obj_description('{table}'::regclass, 'pg_class') IS NULL THEN
    COMMENT ON TABLE {table} IS '{belongs}{control}';
  END IF;
END $$;

-- What others may do by default with all that a role makes they may not do with these, but read.
{taken_back};

-- # Rights to record a log
GRANT SELECT ON {table} TO {role};

-- # Rights to tick
GRANT INSERT (key, payload) ON {table} TO {role};

-- # Rights to clear a log
-- Leaves are emptied, and the ids go on.
GRANT USAGE, UPDATE ON SEQUENCE {table}_id_seq TO {role};
GRANT SELECT, TRUNCATE ON {leaves} TO {role};

-- # Rights of producers of a log
GRANT USAGE ON SCHEMA {handoff} TO recorder_producer;
GRANT INSERT (key, payload) ON {table} TO recorder_producer;

-- # Table of requests
CREATE TABLE IF NOT EXISTS {table} (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  request_status text NOT NULL DEFAULT 'new' CONSTRAINT request_status_is_known
    CHECK (request_status IN ('new', 'in-progress', 'complete', 'error')),
  request_type text NOT NULL DEFAULT 'create' CONSTRAINT request_type_is_known
    CHECK (request_type IN ('create', 'update')),
  process_id uuid,
  entity_id text NOT NULL,
  payload json,
  error_text text,
  attempts int NOT NULL DEFAULT 0,
  deaths int NOT NULL DEFAULT 0,
  begun_by text,
  begun_at timestamptz,
  not_before timestamptz,
  fence xid8,
  created_at timestamptz NOT NULL DEFAULT now(),
  settled_at timestamptz
);

-- Every insert and every settlement pays for each of these. Their names begin as no recorder's name
-- does: a table orders_new may be wanted, too. An id that is longer is in no index.
DO $$
BEGIN
  -- One create per entity.
  IF to_regclass('{handoff}._{recorder}_one_create') IS NULL THEN
    CREATE UNIQUE INDEX _{recorder}_one_create ON {table} (entity_id)
      WHERE request_type = 'create' AND octet_length(entity_id) <= {longest_entity};
  END IF;
  -- A claim finds the first row behind the line without looking at settled ones.
  IF to_regclass('{handoff}._{recorder}_new') IS NULL THEN
    CREATE INDEX _{recorder}_new ON {table} (id) WHERE request_status = 'new';
  END IF;
  -- A unit finds its rows, and an operator an entity's history.
  IF to_regclass('{handoff}._{recorder}_entity') IS NULL THEN
    CREATE INDEX _{recorder}_entity ON {table} (entity_id, request_status, id)
      WHERE octet_length(entity_id) <= {longest_entity};
  END IF;
  -- For operators.
  IF to_regclass('{handoff}._{recorder}_error') IS NULL THEN
    CREATE INDEX _{recorder}_error ON {table} (id) WHERE request_status = 'error';
  END IF;
END $$;

-- Checks as of a log, but only of rows that nobody has touched since they were inserted. A CHECK is
-- asked at each UPDATE, too: a row that came before the limit could else be neither claimed nor
-- settled, and would take its neighbours' settlements back with its own. Whatever updates a request
-- leaves it with begun_at, which no producer may write. It is asked last: each word of a CHECK costs
-- every INSERT something.
DO $$
DECLARE
  made json := (SELECT json_object_agg(conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE conrelid = '{table}'::regclass AND contype = 'c');
BEGIN
  -- No object's name could hold a longer one.
  IF coalesce(made ->> 'entity_id_within_{longest_entity}_bytes', '')
      NOT LIKE '%<= {longest_entity}) OR (begun_at%' THEN
    ALTER TABLE {table} DROP CONSTRAINT IF EXISTS entity_id_within_{longest_entity}_bytes,
      ADD CONSTRAINT entity_id_within_{longest_entity}_bytes
        CHECK (octet_length(entity_id) <= {longest_entity} OR begun_at IS NOT NULL) NOT VALID;
  END IF;
  -- Hosts, too, set this one when they start.
  IF coalesce(made ->> 'payload_within_max_payload', '')
      NOT LIKE '%<= {max_payload}) OR (begun_at%' THEN
    ALTER TABLE {table} DROP CONSTRAINT IF EXISTS payload_within_max_payload,
      ADD CONSTRAINT payload_within_max_payload
        CHECK (octet_length(payload::text) <= {max_payload} OR begun_at IS NOT NULL) NOT VALID;
  END IF;
END $$;

-- # Rights to work on requests
-- To process them, to insert them by command, and to clear away old ones.
GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {role};

-- # Rights of producers of requests
-- To ask, and to see the outcome; what others have asked for stays theirs.
GRANT USAGE ON SCHEMA {handoff} TO recorder_producer;
GRANT INSERT (request_type, entity_id, payload),
  SELECT (id, request_status, request_type, process_id, entity_id, error_text, attempts,
    not_before, created_at, settled_at) ON {table} TO recorder_producer;
