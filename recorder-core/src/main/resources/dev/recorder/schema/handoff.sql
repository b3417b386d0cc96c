-- The hand-off table of one recorder, and the rights on it. May be run again, with the settings of
-- control.sql. Does not lock objects that exist already.

-- # Table of a log
-- The table consists of leaves (partitions). Leaves are emptied while producers write to the table.
-- They are never created, attached or dropped later, since that would lock producers out. The id of
-- a row determines its leaf. The database sets xid and id.
CREATE TABLE IF NOT EXISTS {table} (
  id bigint GENERATED ALWAYS AS IDENTITY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  time timestamptz NOT NULL DEFAULT now() CHECK (isfinite(time)),
  key text,
  payload json NOT NULL
) PARTITION BY LIST (((id >> {block_bits}) & {last_leaf}));

-- A leaf has no unique index, so all columns identify a row. Without REPLICA IDENTITY FULL, a
-- publication for all tables would keep a rebase from renumbering rows.
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

-- CREATE INDEX IF NOT EXISTS would lock the table against writes even if the index exists.
DO $$
BEGIN
  IF to_regclass('{handoff}.{recorder}_xid_id') IS NULL THEN
    CREATE INDEX {recorder}_xid_id ON {table} (xid, id);
  END IF;
END $$;

-- Checks of new rows. They are NOT VALID, so that they can be added to a table with other rows, and
-- so that a dump can be restored and repaired. Producers read the name of a check in the error. A
-- check with another limit is replaced. Functions test conditions that concern few rows, since each
-- word of a check costs every producer time.
DO $$
DECLARE
  made json := (SELECT json_object_agg(conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE conrelid = '{table}'::regclass AND contype = 'c');
BEGIN
  -- Refuses transaction numbers of another database. Rows of a logical replication are accepted,
  -- since a subscription that fails once would fail forever. No ordinary role can pretend to be
  -- one. recorder rebase renumbers such rows. It sets the numbers 2 and 3, which are accepted, too.
  IF coalesce(made ->> 'xid_is_own', '') NOT LIKE '%may_renumber%' THEN
    ALTER TABLE {table} DROP CONSTRAINT IF EXISTS xid_is_own,
      ADD CONSTRAINT xid_is_own
        CHECK (xid = pg_current_xact_id() OR {control}.may_renumber(xid)) NOT VALID;
  END IF;
  -- Payloads have a limit, so keys need one, too.
  IF coalesce(made ->> 'key_within_8192_bytes', '') NOT LIKE '%<= 8192)%' THEN
    ALTER TABLE {table} DROP CONSTRAINT IF EXISTS key_within_8192_bytes,
      ADD CONSTRAINT key_within_8192_bytes CHECK (octet_length(key) <= 8192) NOT VALID;
  END IF;
  -- Refuses captured changes, except from roles that may use the sequence of the log's captures and
  -- from a logical replication.
  IF coalesce(made ->> 'only_captures_write_changes', '') NOT LIKE '%may_write_change%' THEN
    ALTER TABLE {table} DROP CONSTRAINT IF EXISTS only_captures_write_changes,
      ADD CONSTRAINT only_captures_write_changes CHECK (NOT starts_with(payload::text, {change})
        OR {control}.may_write_change('{recorder}', payload)) NOT VALID;
  END IF;
  -- Hosts also set this check when they start.
  IF coalesce(made ->> 'payload_within_max_payload', '') NOT LIKE '%<= {max_payload})%' THEN
    ALTER TABLE {table} DROP CONSTRAINT IF EXISTS payload_within_max_payload,
      ADD CONSTRAINT payload_within_max_payload
        CHECK (octet_length(payload::text) <= {max_payload}) NOT VALID;
  END IF;
END $$;

-- # Both tables
-- Names the installation of the table. Hosts of another installation refuse the table.
DO $$
BEGIN
  IF obj_description('{table}'::regclass, 'pg_class') IS NULL THEN
    COMMENT ON TABLE {table} IS '{belongs}{control}';
  END IF;
END $$;

-- Takes back the rights that default privileges gave to other roles, except those to read.
{taken_back};

-- # Rights to record a log
GRANT SELECT ON {table} TO {role};

-- # Rights to tick
GRANT INSERT (key, payload) ON {table} TO {role};

-- # Rights to clear a log
-- For emptying leaves, and for advancing the ids to the next block.
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

-- Each of these indexes slows down every insert and every settlement. Names of recorders do not
-- begin with _, so the names of indexes cannot clash with a recorder such as orders_new. An
-- entity_id that is too long is in no index.
DO $$
BEGIN
  -- One create per entity.
  IF to_regclass('{handoff}._{recorder}_one_create') IS NULL THEN
    CREATE UNIQUE INDEX _{recorder}_one_create ON {table} (entity_id)
      WHERE request_type = 'create' AND octet_length(entity_id) <= {longest_entity};
  END IF;
  -- Lets a claim find the first new row above the line without reading settled rows.
  IF to_regclass('{handoff}._{recorder}_new') IS NULL THEN
    CREATE INDEX _{recorder}_new ON {table} (id) WHERE request_status = 'new';
  END IF;
  -- For the rows of a unit of work, and for the history of an entity.
  IF to_regclass('{handoff}._{recorder}_entity') IS NULL THEN
    CREATE INDEX _{recorder}_entity ON {table} (entity_id, request_status, id)
      WHERE octet_length(entity_id) <= {longest_entity};
  END IF;
  -- For operators who look for errors.
  IF to_regclass('{handoff}._{recorder}_error') IS NULL THEN
    CREATE INDEX _{recorder}_error ON {table} (id) WHERE request_status = 'error';
  END IF;
END $$;

-- Checks as for a log, but only for rows that were not updated since their insert. A CHECK is also
-- tested at each UPDATE. Without this exception, a row from before the limit could be neither
-- claimed nor settled, and would roll back the settlements of other rows with its own. Each update
-- of a request leaves begun_at set, which producers may not write. The test of begun_at comes last,
-- since each word of a CHECK costs every INSERT time.
DO $$
DECLARE
  made json := (SELECT json_object_agg(conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE conrelid = '{table}'::regclass AND contype = 'c');
BEGIN
  -- A longer id does not fit into the name of an object.
  IF coalesce(made ->> 'entity_id_within_{longest_entity}_bytes', '')
      NOT LIKE '%<= {longest_entity}) OR (begun_at%' THEN
    ALTER TABLE {table} DROP CONSTRAINT IF EXISTS entity_id_within_{longest_entity}_bytes,
      ADD CONSTRAINT entity_id_within_{longest_entity}_bytes
        CHECK (octet_length(entity_id) <= {longest_entity} OR begun_at IS NOT NULL) NOT VALID;
  END IF;
  -- Hosts also set this check when they start.
  IF coalesce(made ->> 'payload_within_max_payload', '')
      NOT LIKE '%<= {max_payload}) OR (begun_at%' THEN
    ALTER TABLE {table} DROP CONSTRAINT IF EXISTS payload_within_max_payload,
      ADD CONSTRAINT payload_within_max_payload
        CHECK (octet_length(payload::text) <= {max_payload} OR begun_at IS NOT NULL) NOT VALID;
  END IF;
END $$;

-- # Rights to work on requests
-- For processing requests, inserting them by command, and deleting old ones.
GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {role};

-- # Rights of producers of requests
-- For inserting requests and seeing their outcome. Payloads are not readable.
GRANT USAGE ON SCHEMA {handoff} TO recorder_producer;
GRANT INSERT (request_type, entity_id, payload),
  SELECT (id, request_status, request_type, process_id, entity_id, error_text, attempts,
    not_before, created_at, settled_at) ON {table} TO recorder_producer;
