-- This script may be run again. It does not lock objects that exist already. For other locks it
-- waits at most a second, so that other sessions wait no longer. If it fails because of a lock, run
-- it again later.
SET client_encoding = 'UTF8'; -- Else psql could take a quote for part of a character.
BEGIN;

-- # Settings
-- Functions and operators that other roles created in schema public are not called.
SET LOCAL search_path = pg_catalog, pg_temp;
-- Hides notices that an object already exists.
SET LOCAL client_min_messages = warning;
SET LOCAL lock_timeout = '1s';
-- Definitions of existing objects are compared as text, and need one form.
SET LOCAL quote_all_identifiers = off;

-- # Owners
-- Refuses tables and functions of other roles. Such a table could have a trigger, which would run
-- with the rights of the hosts and of the role that runs this script. Administrators and the hosts'
-- role are accepted.
SET LOCAL recorder.role = {role_text};
DO $$
DECLARE
  others record;
BEGIN
  SELECT what, rolname INTO others FROM (
    SELECT 'schema ' || nspname, nspowner FROM pg_namespace
    WHERE nspname IN ('{control}', '{handoff}')
    UNION ALL
    SELECT 'relation ' || oid::regclass::text, relowner FROM pg_class
    WHERE relnamespace = to_regnamespace('{control}')
    UNION ALL
    SELECT 'relation ' || c.oid::regclass::text, c.relowner FROM pg_class c
    LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
    WHERE coalesce(i.inhparent, c.oid) IN (SELECT t.oid FROM pg_class t
      WHERE t.relnamespace = to_regnamespace('{handoff}')
        AND t.relname = ANY (string_to_array('{handed_over}', ' ')))
    UNION ALL
    SELECT 'function ' || oid::regprocedure::text, proowner FROM pg_proc
    WHERE pronamespace = to_regnamespace('{control}')) AS made (what, owner)
  JOIN pg_roles r ON r.oid = owner
  WHERE {is_other_owner}
  LIMIT 1;
  IF FOUND THEN
    RAISE insufficient_privilege USING
      MESSAGE = format('%s belongs to role %s, which is neither an administrator nor the hosts''',
        others.what, others.rolname),
      HINT = 'That role could have hosts run code of its own, as by a trigger. Look at it; then drop'
        ' it, or change its owner.';
  END IF;
END $$;

-- # Roles
-- The role of all hosts, which is no superuser and needs a password. recorder_producer: for roles
-- that hand over rows. recorder_capture: owns the functions that capture changes. recorder_reader:
-- owns the function that runs queries of users, and needs SELECT on the tables in these queries
-- and USAGE on their schemas.
DO $$
DECLARE
  role text;
BEGIN
  FOREACH role IN ARRAY ARRAY[current_setting('recorder.role'),
      'recorder_producer', 'recorder_capture', 'recorder_reader'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I %s', role,
          CASE WHEN role = current_setting('recorder.role') THEN 'LOGIN' ELSE 'NOLOGIN' END);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- Another session was first.
      END;
    END IF;
  END LOOP;
  FOREACH role IN ARRAY ARRAY['recorder_capture', 'recorder_reader'] LOOP
    IF NOT EXISTS (SELECT FROM pg_auth_members WHERE roleid = role::regrole
        AND member = (SELECT oid FROM pg_roles WHERE rolname = current_setting('recorder.role')))
    THEN
      BEGIN
        EXECUTE format('GRANT %I TO %I', role, current_setting('recorder.role'));
      EXCEPTION WHEN unique_violation THEN NULL; -- As above: databases share roles.
      END;
    END IF;
  END LOOP;
  IF NOT EXISTS (SELECT FROM pg_database d, aclexplode(d.datacl) a
      WHERE d.datname = current_database() AND a.privilege_type = 'CONNECT'
      AND a.grantee = (SELECT oid FROM pg_roles WHERE rolname = current_setting('recorder.role')))
  THEN
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I',
      current_database(), current_setting('recorder.role'));
  END IF;
END $$;

-- # Tables
-- Hosts create the tables themselves if their role has the right. CREATE SCHEMA IF NOT EXISTS
-- requires the right to create schemas even if the schema exists.
DO $$
BEGIN
  IF to_regnamespace('{control}') IS NULL THEN
    CREATE SCHEMA IF NOT EXISTS {control};
  END IF;
  IF to_regnamespace('{handoff}') IS NULL THEN
    CREATE SCHEMA IF NOT EXISTS {handoff};
  END IF;
END $$;

-- A host runs only with the version of the tables that it knows.
DO $$
DECLARE
  found int;
BEGIN
  IF to_regclass('{control}.schema_info') IS NULL THEN
    CREATE TABLE IF NOT EXISTS {control}.schema_info (version int PRIMARY KEY);
  END IF;
  SELECT max(version) INTO found FROM {control}.schema_info;
  IF found > {version} THEN
    RAISE 'these tables have version %, this script makes version {version}: run the output of ''recorder schema'' of the newer program',
      found;
  ELSIF found IS DISTINCT FROM {version} THEN
    INSERT INTO {control}.schema_info (version) VALUES ({version}) ON CONFLICT DO NOTHING;
  END IF;
END $$;

-- The hosts: their heartbeats, configurations and roles.
CREATE TABLE IF NOT EXISTS {control}.info_recorders (
  name text PRIMARY KEY,
  beat bigint NOT NULL DEFAULT 1,
  update_time timestamptz NOT NULL,
  num_primary int NOT NULL,
  num_secondary int NOT NULL,
  active int[] NOT NULL DEFAULT '{}',
  able int[] NOT NULL DEFAULT '{}',
  primary_for int[] NOT NULL DEFAULT '{}',
  stuck int[] NOT NULL DEFAULT '{}',
  pid int NOT NULL,
  backend_start timestamptz NOT NULL,
  version text NOT NULL,
  config_hash text NOT NULL,
  config_sections json NOT NULL DEFAULT '{}'
);

-- Reports of hosts: their faults, and the recorders for which they are ready.
CREATE TABLE IF NOT EXISTS {control}.conditions (
  name text PRIMARY KEY,
  pid int NOT NULL,
  backend_start timestamptz NOT NULL,
  stated_at timestamptz NOT NULL,
  conditions json NOT NULL
);

-- The recorders: the active host and the position of each log.
CREATE TABLE IF NOT EXISTS {control}.lock_recorders (
  lock_id int PRIMARY KEY CHECK (lock_id BETWEEN 1 AND 998),
  recorder text NOT NULL UNIQUE,
  kind text NOT NULL DEFAULT 'log',
  log_uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  log_created boolean NOT NULL DEFAULT false,
  holder text,
  holder_pid int,
  holder_backend_start timestamptz,
  last_holder text,
  epoch bigint NOT NULL DEFAULT 0,
  primary_up boolean NOT NULL DEFAULT false,
  begun_at timestamptz,
  released_at timestamptz,
  faults int NOT NULL DEFAULT 0,
  switch_to text,
  switch_why text CHECK (switch_why IN ('flip', 'operator', 'failback', 'stuck')),
  first_slot bigint NOT NULL DEFAULT 1,
  floor_chain text,
  last_slot bigint NOT NULL DEFAULT 0,
  chain text,
  settled_at timestamptz,
  own_settled_at timestamptz,
  done_snapshot pg_snapshot NOT NULL DEFAULT '3:3:',
  open_snapshot pg_snapshot,
  open_xid xid8,
  open_id bigint,
  rebased_slot bigint NOT NULL DEFAULT 0,
  rebased_epoch bigint NOT NULL DEFAULT 0,
  layout json NOT NULL,
  database text,
  former_databases text[] NOT NULL DEFAULT '{}',
  paused_until timestamptz,
  pause_reason text,
  update_time timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK ((chain IS NULL) = (last_slot = 0)),
  CHECK ((switch_to IS NULL) = (switch_why IS NULL)),
  CHECK ((open_snapshot IS NULL) = (open_xid IS NULL)),
  CHECK ((open_snapshot IS NULL) = (open_id IS NULL))
) WITH (fillfactor = 50);

-- Planned slots, and settled slots with rows that are still in hand-off tables.
CREATE TABLE IF NOT EXISTS {control}.slots (
  lock_id int NOT NULL,
  slot bigint NOT NULL,
  sha256 text NOT NULL,
  epoch bigint NOT NULL,
  writer text NOT NULL,
  window_from pg_snapshot,
  window_to pg_snapshot,
  window_complete boolean,
  row_count int NOT NULL,
  first_xid xid8 NOT NULL,
  first_id bigint NOT NULL,
  last_xid xid8 NOT NULL,
  last_id bigint NOT NULL,
  bytes bigint NOT NULL,
  planned_at timestamptz NOT NULL,
  PRIMARY KEY (lock_id, slot, sha256)
);

-- Recorded rows that the position of the log does not cover. Reads skip them.
CREATE TABLE IF NOT EXISTS {control}.exclusions (
  lock_id int NOT NULL,
  slot bigint NOT NULL,
  xid xid8 NOT NULL,
  id bigint NOT NULL,
  PRIMARY KEY (lock_id, xid, id)
);

-- The blocks of rows in the leaves of hand-off tables, and the rows that were deleted from them.
CREATE TABLE IF NOT EXISTS {control}.blocks (
  lock_id int NOT NULL,
  block bigint NOT NULL,
  begun_at timestamptz NOT NULL,
  from_slot bigint NOT NULL,
  cleared_at timestamptz,
  cleared_by text,
  cleared_rows bigint NOT NULL DEFAULT 0,
  last_slot bigint,
  first_block bigint,
  PRIMARY KEY (lock_id, block)
);

-- Takeovers: from which host, to which host, and why.
CREATE TABLE IF NOT EXISTS {control}.takeovers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lock_id int NOT NULL,
  recorder text NOT NULL,
  reason text NOT NULL,
  from_machine text,
  to_machine text NOT NULL,
  from_epoch bigint NOT NULL,
  to_epoch bigint NOT NULL,
  silence_ms bigint NOT NULL,
  gap_ms bigint,
  last_slot bigint NOT NULL,
  first_slot bigint NOT NULL,
  detail text
);

-- A copy of the active host of each recorder, for hosts that read it twenty times a second. A
-- trigger of lock_recorders keeps it. Each settled slot writes a new version of the recorder's row
-- in lock_recorders. While a dump or a standby server prevents the removal of old versions, reading
-- that row passes all of them. Rows of this table change only when the active host changes. In a
-- conflict, lock_recorders is right.
CREATE TABLE IF NOT EXISTS {control}.incumbents (
  lock_id int PRIMARY KEY,
  holder text,
  epoch bigint NOT NULL,
  holder_pid int,
  holder_backend_start timestamptz,
  switch_to text,
  switch_why text,
  faults int NOT NULL,
  last_beat timestamptz
);

CREATE OR REPLACE FUNCTION {control}.incumbent_changed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM {control}.incumbents WHERE lock_id = OLD.lock_id;
  ELSE
    INSERT INTO {control}.incumbents (lock_id, {kept})
    VALUES (NEW.lock_id, {kept_of_new})
    ON CONFLICT (lock_id) DO UPDATE SET ({kept})
      = ROW ({kept_of_excluded});
  END IF;
  RETURN NULL;
END $$;

-- The trigger is created only if it is missing or different, since this blocks settling of slots
-- until the end of the transaction. Settling a slot sets none of these columns, so it does not fire
-- the trigger.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_trigger
      WHERE tgrelid = '{control}.lock_recorders'::regclass AND tgname = 'incumbent_changed'
      AND tgenabled IN ('O', 'A')
      AND pg_get_triggerdef(oid) LIKE '% UPDATE OF {kept} ON %') THEN
    CREATE OR REPLACE TRIGGER incumbent_changed AFTER INSERT OR DELETE OR UPDATE OF
      {kept}
    ON {control}.lock_recorders FOR EACH ROW EXECUTE FUNCTION {control}.incumbent_changed();
  END IF;
END $$;

-- Orders of operators: to one session of a host, or to the active host of a recorder. The server
-- fills in the user who asked, which the hosts' role may not write.
CREATE TABLE IF NOT EXISTS {control}.operator_orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL
    CHECK (kind IN ('reload', 'compare', 'drain', 'undrain', 'rehearse', 'switchover', 'verify')),
  machine text,
  pid int,
  backend_start timestamptz,
  lock_id int,
  recorder text NOT NULL DEFAULT '',
  argument text NOT NULL DEFAULT '' CHECK (length(argument) <= 4096),
  state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'taken', 'done', 'withdrawn')),
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  take_within_ms int CHECK (take_within_ms BETWEEN 1 AND 3600000),
  asked_by text NOT NULL DEFAULT session_user,
  client_addr inet DEFAULT inet_client_addr(),
  os_user text NOT NULL CHECK (length(os_user) <= 200),
  taken_at timestamptz,
  ended_at timestamptz,
  answer json,
  CHECK (num_nulls(machine, pid, backend_start) = CASE WHEN lock_id IS NULL THEN 0 ELSE 3 END),
  CHECK ((take_within_ms IS NULL) = (kind = 'verify'))
);

-- Pauses of recorders, and their ends, with the users who ordered them.
CREATE TABLE IF NOT EXISTS {control}.pauses (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lock_id int NOT NULL,
  recorder text NOT NULL,
  until timestamptz,
  reason text,
  db_user text NOT NULL DEFAULT session_user,
  db_client text NOT NULL DEFAULT coalesce(host(inet_client_addr()), 'local'),
  os_user text NOT NULL CHECK (length(os_user) <= 200),
  CHECK ((until IS NULL) = (reason IS NULL))
);

-- The results of the last scheduled verification of each log.
CREATE TABLE IF NOT EXISTS {control}.verdicts (
  lock_id int PRIMARY KEY,
  recorder text NOT NULL,
  every_ms bigint,
  since timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  machine text,
  ok boolean,
  whole boolean,
  from_slot bigint,
  to_slot bigint,
  fault_count bigint,
  findings json,
  next_from bigint,
  log_uuid uuid,
  rebased_slot bigint,
  tried_at timestamptz,
  trouble text
);

-- Stores that lost a race in their test. Without a unique key, so that inserts never wait.
CREATE TABLE IF NOT EXISTS {control}.lost_races (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  endpoint text NOT NULL,
  bucket text NOT NULL,
  promise text NOT NULL CHECK (promise IN ('create', 'replace')),
  machine text NOT NULL,
  what text NOT NULL
);

-- Locks between processes. One sequence counts the tokens of all locks, so that the tokens of each
-- lock rise. With a cache, a session could get lower numbers than other sessions got before.
CREATE SEQUENCE IF NOT EXISTS {control}.lock_token AS bigint CACHE 1 NO CYCLE;
-- Names of advisory locks, for commands that list locks: the server knows only their numbers.
CREATE TABLE IF NOT EXISTS {control}.lock_name (
  key bigint PRIMARY KEY,
  name varchar(200) NOT NULL
);
-- forced_token: the token of the last lease that a release took from its owner.
CREATE TABLE IF NOT EXISTS {control}.lock_mutex (
  queue_id varchar(200) NOT NULL DEFAULT 'default',
  id varchar(200) NOT NULL,
  acquired boolean NOT NULL DEFAULT false,
  retries_left int,
  owner text,
  token bigint,
  acquired_at timestamptz,
  released_at timestamptz,
  forced_token bigint,
  PRIMARY KEY (queue_id, id)
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS {control}.lock_timeout (
  queue_id varchar(200) NOT NULL DEFAULT 'default',
  id varchar(200) NOT NULL,
  ts timestamptz NOT NULL DEFAULT '-infinity',
  due_at timestamptz NOT NULL DEFAULT '-infinity',
  retries_left int,
  owner text,
  token bigint,
  PRIMARY KEY (queue_id, id)
) WITH (fillfactor = 50);

-- set_at: the time when the status was set, and so when a waiting task began to wait.
CREATE TABLE IF NOT EXISTS {control}.lock_task (
  queue_id varchar(200) NOT NULL DEFAULT 'default',
  id varchar(200) NOT NULL,
  status text NOT NULL DEFAULT 'new'
    CHECK (status IN ('new', 'in_progress', 'done', 'failed', 'timed_out')),
  previous_status text,
  retries_left int CHECK (retries_left >= 0),
  owner text,
  token bigint,
  added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  set_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  captured_at timestamptz,
  deadline timestamptz,
  PRIMARY KEY (queue_id, id),
  CHECK ((status = 'in_progress') = (deadline IS NOT NULL))
) WITH (fillfactor = 70);

-- CREATE INDEX IF NOT EXISTS would lock the table against writes even if the index exists.
DO $$
BEGIN
  -- The latest version of a host's row has the highest beat. A search for it meets this version
  -- first, however many old versions could not be removed.
  IF to_regclass('{control}.info_recorders_latest') IS NULL THEN
    CREATE INDEX info_recorders_latest ON {control}.info_recorders (name, beat);
  END IF;
  IF to_regclass('{control}.orders_new') IS NULL THEN
    CREATE INDEX orders_new ON {control}.operator_orders (machine, id) WHERE state = 'new';
  END IF;
  -- Allows one new switchover and one new verification for each recorder.
  IF to_regclass('{control}.orders_of_recorder') IS NULL THEN
    CREATE UNIQUE INDEX orders_of_recorder ON {control}.operator_orders (lock_id, kind)
      WHERE state = 'new';
  END IF;
  IF to_regclass('{control}.pauses_latest') IS NULL THEN
    CREATE INDEX pauses_latest ON {control}.pauses (lock_id, id);
  END IF;
  IF to_regclass('{control}.pauses_until') IS NULL THEN
    CREATE INDEX pauses_until ON {control}.pauses (until);
  END IF;
  -- In the order in which tasks are captured, without tasks that cannot be captured.
  IF to_regclass('{control}.lock_task_waiting') IS NULL THEN
    CREATE INDEX lock_task_waiting ON {control}.lock_task (queue_id, status, set_at, id)
      WHERE status <> 'in_progress' AND (retries_left IS NULL OR retries_left > 0);
  END IF;
  IF to_regclass('{control}.lock_task_deadline') IS NULL THEN
    CREATE INDEX lock_task_deadline ON {control}.lock_task (deadline)
      WHERE status = 'in_progress';
  END IF;
END $$;

-- The part of a check of hand-off tables that few rows need. It is a function, since the server
-- parses the text of each check anew for every statement, at the cost of every producer. Numbers of
-- other transactions are allowed in rows of a rebase or a logical replication.
CREATE OR REPLACE FUNCTION {control}.may_renumber(xid xid8) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN xid < '4' OR current_setting('session_replication_role') = 'replica';
END $$;

-- Captured changes may be written by roles that may use the sequence of the log's captures, and by
-- a logical replication.
CREATE OR REPLACE FUNCTION {control}.may_write_change(log text, payload json) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN NOT starts_with(payload::text, {mark})
    OR coalesce(has_sequence_privilege(
      to_regclass('{control}.capture_' || log || '_seq'), 'USAGE'), false)
    OR current_setting('session_replication_role') = 'replica';
END $$;

-- Lets a producer wait until its committed transaction is in S3. A transaction is recorded if the
-- snapshot of the log's position sees it. It is also recorded if the snapshot of the open window
-- sees it and the log has reached a later transaction, since a window is recorded in the order of
-- transactions. Runs with the caller's rights.
CREATE OR REPLACE FUNCTION {control}.wait_recorded(
  name text, xid xid8, timeout interval DEFAULT '1 minute')
RETURNS boolean LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  fate text;
  log record;
  give_up timestamptz;
BEGIN
  IF wait_recorded.name IS NULL OR wait_recorded.xid IS NULL OR wait_recorded.timeout IS NULL
  THEN RAISE null_value_not_allowed USING
    MESSAGE = 'recorder, transaction and timeout: none of them may be null';
  ELSIF wait_recorded.timeout NOT BETWEEN '0' AND '10 minutes' THEN
    RAISE invalid_parameter_value USING
      MESSAGE = format('a timeout of %s: more than 10 minutes, or less than none',
        wait_recorded.timeout),
      HINT = 'A waiting statement keeps old row versions in the tables. Wait again instead.';
  ELSIF pg_is_in_recovery() THEN
    RAISE object_not_in_prerequisite_state USING
      MESSAGE = 'this is a standby server, which cannot tell what is recorded',
      HINT = 'Ask the primary.';
  ELSIF current_setting('transaction_isolation') NOT LIKE 'read %' THEN
    RAISE invalid_transaction_state USING
      MESSAGE = format('a transaction that is %s would not see what is recorded meanwhile',
        current_setting('transaction_isolation')),
      HINT = 'Wait in a READ COMMITTED transaction, best in one of its own.';
  END IF;

  BEGIN
    fate := pg_xact_status(wait_recorded.xid);
  EXCEPTION WHEN invalid_parameter_value THEN
    RAISE SQLSTATE 'RW005' USING
      MESSAGE = format('this database has not given out transaction number %s',
        wait_recorded.xid),
      HINT = 'It is of another server, or of commits that this one has lost.';
  END;
  IF wait_recorded.xid < '3' THEN
    RAISE invalid_parameter_value USING
      MESSAGE = format('%s is not the number of a transaction', wait_recorded.xid);
  ELSIF fate = 'in progress' THEN
    RAISE SQLSTATE 'RW001' USING
      MESSAGE = format(CASE WHEN wait_recorded.xid = pg_current_xact_id_if_assigned()
        THEN 'transaction %s is the one that asks, and cannot be recorded before it ends'
        ELSE 'transaction %s is open, or prepared' END, wait_recorded.xid),
      HINT = 'Commit it first; then wait.';
  ELSIF fate = 'aborted' THEN
    RAISE SQLSTATE 'RW002' USING
      MESSAGE = format('transaction %s was rolled back, and is never recorded',
        wait_recorded.xid);
  END IF;

  give_up := clock_timestamp() + wait_recorded.timeout;
  LOOP
    SELECT r.kind, pg_visible_in_snapshot(wait_recorded.xid, r.done_snapshot)
        OR coalesce(pg_visible_in_snapshot(wait_recorded.xid, r.open_snapshot)
          AND wait_recorded.xid < r.open_xid, false) AS recorded
    INTO log FROM {control}.lock_recorders r WHERE r.recorder = wait_recorded.name;
    IF NOT FOUND THEN
      RAISE undefined_object USING
        MESSAGE = format('there is no recorder %s', wait_recorded.name),
        HINT = 'It is there once a host that has it has run.';
    ELSIF log.kind <> 'log' THEN
      RAISE wrong_object_type USING
        MESSAGE = format('recorder %s keeps no log', wait_recorded.name),
        HINT = 'What became of a request is in its row.';
    ELSIF log.recorded THEN
      PERFORM FROM {control}.lock_recorders r
      CROSS JOIN pg_snapshot_xmax(pg_current_snapshot()) AS next
      LEFT JOIN LATERAL (
        SELECT pg_snapshot_xmax(s.window_to)::text::bigint AS reaches,
          s.xmin::text::bigint AS written
        FROM {control}.slots s
        WHERE s.lock_id = r.lock_id AND s.slot > r.rebased_slot
          AND s.epoch > r.rebased_epoch AND s.window_to IS NOT NULL
        ORDER BY s.lock_id DESC, s.slot DESC LIMIT 1) s ON true
      WHERE r.recorder = wait_recorded.name
        AND (pg_snapshot_xmax(coalesce(r.open_snapshot, r.done_snapshot)) > next
          OR (next::text::bigint - 1 - written) & 4294967295
            > next::text::bigint - 1 - reaches);
      IF FOUND THEN
        RAISE SQLSTATE 'RW005' USING
          MESSAGE = format('the log of recorder %s stands in the transaction numbers of'
            ' another server', wait_recorded.name),
          HINT = 'It was dumped and restored, and goes on after recorder rebase.';
      END IF;

      RETURN true;
    END IF;

    EXIT WHEN clock_timestamp() >= give_up;
    PERFORM pg_sleep(
      least(0.02, extract(epoch FROM give_up - clock_timestamp())::float8));
  END LOOP;
  SELECT r.holder, r.paused_until, r.pause_reason,
    greatest(i.update_time, r.begun_at, r.released_at) AS seen
  INTO log FROM {control}.lock_recorders r LEFT JOIN {control}.info_recorders i ON i.name = r.holder
  WHERE r.recorder = wait_recorded.name;
  IF log.paused_until > clock_timestamp() THEN
    RAISE SQLSTATE 'RW004' USING
      MESSAGE = format('recorder %s is paused until %s: %s', wait_recorded.name,
        log.paused_until, coalesce(log.pause_reason, 'no reason given'));
  ELSIF coalesce(log.seen < clock_timestamp() - interval '10 seconds', true) THEN
    RAISE SQLSTATE 'RW003' USING
      MESSAGE = format('no host runs recorder %s: %s, %s', wait_recorded.name,
        coalesce(log.holder || ' holds it', 'no host holds it'),
        coalesce('and the last sign of life was at ' || log.seen::text, 'and none ever did')),
      HINT = 'Start a host that has it; recorder status shows those that are there.';
  END IF;

  RETURN false;
END $$;

-- Takes back the rights that default privileges gave to other roles, except those to read.
{taken_back};

-- # Rights to record
GRANT USAGE ON SCHEMA {control}, {handoff} TO {role};
GRANT SELECT ON {control}.schema_info TO {role};
GRANT SELECT, INSERT, UPDATE ON {control}.info_recorders, {control}.lock_recorders,
  {control}.incumbents, {control}.takeovers, {control}.blocks TO {role};
GRANT SELECT, INSERT ON {control}.slots, {control}.exclusions TO {role};

-- # Rights to clear
GRANT DELETE ON {control}.slots, {control}.blocks TO {role};

-- # Rights to operate
GRANT SELECT, INSERT, UPDATE ON {control}.conditions, {control}.verdicts TO {role};
GRANT SELECT,
  INSERT (kind, machine, pid, backend_start, lock_id, recorder, argument, take_within_ms, os_user),
  UPDATE (state, taken_at, ended_at, answer), DELETE ON {control}.operator_orders TO {role};
GRANT SELECT, INSERT (lock_id, recorder, until, reason, os_user) ON {control}.pauses TO {role};
GRANT SELECT, INSERT (endpoint, bucket, promise, machine, what) ON {control}.lost_races TO {role};

-- # Rights to lock
GRANT USAGE ON SEQUENCE {control}.lock_token TO {role};
GRANT SELECT, INSERT ON {control}.lock_name TO {role};
GRANT SELECT, INSERT, UPDATE ON {control}.lock_mutex, {control}.lock_timeout TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON {control}.lock_task TO {role};

-- # Rights of producers
-- Lets the role of an application hand over rows: GRANT recorder_producer TO its_role.
GRANT USAGE ON SCHEMA {control} TO recorder_producer;
GRANT SELECT (lock_id, recorder, kind, holder, begun_at, released_at, last_slot, done_snapshot,
  open_snapshot, open_xid, open_id, rebased_slot, rebased_epoch, paused_until, pause_reason)
  ON {control}.lock_recorders TO recorder_producer;
GRANT SELECT (name, update_time) ON {control}.info_recorders TO recorder_producer;
GRANT SELECT (lock_id, slot, epoch, window_to, xmin) ON {control}.slots TO recorder_producer;
GRANT EXECUTE ON FUNCTION {control}.wait_recorded(text, xid8, interval) TO recorder_producer;

-- # Queries of users
-- Queries run with the rights of recorder_reader alone, since their SQL may call code of other
-- roles: views, casts of types, functions that are declared immutable. SET ROLE would not protect
-- the caller's rights, since that code can reset it. In a function that runs as its owner, the
-- server refuses to reset the role. The caller rolls back all changes. A role needs the right to
-- create in the schema only while it becomes the owner of the function.
DO $$
BEGIN
  IF NOT pg_has_role('recorder_reader', 'USAGE') THEN
    GRANT recorder_reader TO CURRENT_USER;
  END IF;
END $$;
GRANT CREATE ON SCHEMA {control} TO recorder_reader;
CREATE OR REPLACE FUNCTION {control}.read_document(statement text)
RETURNS TABLE (bytes bigint, document text, snapshot text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY EXECUTE read_document.statement;
END $$;
ALTER FUNCTION {control}.read_document(text) OWNER TO recorder_reader;
REVOKE CREATE ON SCHEMA {control} FROM recorder_reader;
{read_document_taken_back};
GRANT EXECUTE ON FUNCTION {control}.read_document(text) TO {role};

-- # End
COMMIT;
