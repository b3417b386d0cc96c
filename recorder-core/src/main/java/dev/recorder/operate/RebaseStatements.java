package dev.recorder.operate;

import dev.recorder.handoff.RecordedLine;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Term;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.Kind;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.SqlArrays;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.postgres.ForeignNumbers;
import dev.recorder.slotlog.postgres.RowIdentity;
import dev.recorder.slotlog.postgres.SlotStatements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The SQL that moves a log in a {@link Rebase}; see there for the order and for what is one
 * transaction.
 */
final class RebaseStatements {
  private final SchemaNames names;
  private final RecorderName recorder;
  private final int lockId;
  private final RowIdentity identity;
  private final String table;
  private final String row;

  /** Whether a row {@code h} is recorded by the position {@code r}, and by an adopted object. */
  private final String covered;

  private final String excluded;

  /** Whether this server may have given out the number of a row {@code h}. */
  private static final String MAY_BE_OWN =
      "(h.xid > '"
          + RowIdentity.WAITING
          + "' AND h.xid < pg_snapshot_xmax(pg_current_snapshot())::text::xid8)";

  RebaseStatements(SchemaNames names, RecorderName recorder, int lockId) {
    this.names = names;
    this.recorder = recorder;
    this.lockId = lockId;
    this.identity = new RowIdentity(names, recorder);
    this.table = names.handoffTable(recorder);
    this.row = names.table("lock_recorders");
    this.covered =
        "(pg_visible_in_snapshot(h.xid, r.done_snapshot) OR (r.open_snapshot IS NOT NULL"
            + " AND pg_visible_in_snapshot(h.xid, r.open_snapshot)"
            + " AND (h.xid, h.id) <= (r.open_xid, r.open_id)))";
    this.excluded =
        "EXISTS (SELECT FROM "
            + names.table("exclusions")
            + " e WHERE e.lock_id = r.lock_id AND e.xid = h.xid AND e.id = h.id)";
  }

  /**
   * Rows by what is known of them.
   *
   * @param undecided covered by the position, which means nothing for those inserted here
   */
  record Counts(long recorded, long waiting, long undecided) {
    Counts plusRecorded(long more) {
      return new Counts(recorded + more, waiting, undecided);
    }
  }

  /** Why a rebase is needed; empty if it is not. */
  String need(Connection connection) throws SQLException {
    return new ForeignNumbers(names).refusal(connection, lockId, recorder);
  }

  LogHead head(Connection connection) throws SQLException {
    String sql =
        "SELECT last_slot, first_slot, "
            + SlotStatements.POSITION
            + " FROM "
            + row
            + " WHERE lock_id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, lockId);
      try (ResultSet head = statement.executeQuery()) {
        head.next();
        return new LogHead(head.getLong(1), head.getLong(2), SlotStatements.position(head, 3));
      }
    }
  }

  UUID log(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT log_uuid FROM " + row + " WHERE lock_id = ?")) {
      statement.setInt(1, lockId);
      try (ResultSet log = statement.executeQuery()) {
        log.next();
        return log.getObject(1, UUID.class);
      }
    }
  }

  /** Begins a term, so that whoever had the one before can settle nothing more. */
  Term beginTerm(Connection connection, String holder, String why) throws SQLException {
    String sql =
        "WITH before AS (SELECT lock_id, coalesce(holder, last_holder) AS holder FROM "
            + row
            + " WHERE lock_id = ?), term AS (UPDATE "
            + row
            + " r SET holder = ?, last_holder = ?, epoch = epoch + 1, primary_up = false,"
            + " (holder_pid, holder_backend_start) ="
            + " (SELECT pid, backend_start FROM pg_stat_get_activity(pg_backend_pid())),"
            + " begun_at = clock_timestamp(), faults = 0,"
            // What was wished for came from the other server's machines.
            + " switch_to = NULL, switch_why = NULL,"
            + " update_time = clock_timestamp() FROM before WHERE r.lock_id = before.lock_id"
            + " RETURNING r.lock_id, r.recorder, r.epoch, r.log_uuid, r.last_slot, r.first_slot,"
            + " before.holder AS predecessor), receipt AS (INSERT INTO "
            + names.table("takeovers")
            + " (lock_id, recorder, reason, from_machine, to_machine, from_epoch, to_epoch,"
            + " silence_ms, last_slot, first_slot, detail) SELECT lock_id, recorder, 'rebase',"
            + " predecessor, ?, epoch - 1, epoch, 0, last_slot, first_slot, ?::text FROM term)"
            + " SELECT epoch, log_uuid FROM term";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, lockId);
      statement.setString(2, holder);
      statement.setString(3, holder);
      statement.setString(4, holder);
      statement.setString(5, why);
      try (ResultSet term = statement.executeQuery()) {
        term.next();
        return new Term(lockId, term.getLong(1), holder, term.getObject(2, UUID.class));
      }
    }
  }

  Counts count(Connection connection) throws SQLException {
    String sql =
        "SELECT count(*) FILTER (WHERE recorded), count(*) FILTER (WHERE NOT recorded AND NOT open),"
            + " count(*) FILTER (WHERE NOT recorded AND open) FROM (SELECT "
            + recorded()
            + " AS recorded, "
            + covered
            + " AND "
            + MAY_BE_OWN
            + " AS open FROM "
            + table
            + " h, "
            + row
            + " r WHERE r.lock_id = ?) counted";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, lockId);
      try (ResultSet counts = statement.executeQuery()) {
        counts.next();
        return new Counts(counts.getLong(1), counts.getLong(2), counts.getLong(3));
      }
    }
  }

  private String recorded() {
    return "(" + excluded + " OR (" + covered + " AND NOT " + MAY_BE_OWN + "))";
  }

  /**
   * Settled slots since the last rebase that may hold rows whose numbers are given out here too.
   */
  List<Long> slotsToCompare(Connection connection) throws SQLException {
    String sql =
        "SELECT DISTINCT s.slot FROM "
            + names.table("slots")
            + " s JOIN "
            + row
            + " r USING (lock_id) WHERE r.lock_id = ? AND s.slot > r.rebased_slot"
            + " AND s.slot <= r.last_slot AND s.window_to IS NOT NULL"
            + " AND s.first_xid < pg_snapshot_xmax(pg_current_snapshot())::text::xid8 ORDER BY 1";
    List<Long> slots = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, lockId);
      try (ResultSet slot = statement.executeQuery()) {
        while (slot.next()) {
          slots.add(slot.getLong(1));
        }
      }
    }
    return slots;
  }

  /** Marks the rows that are among {@code lines} of an object as recorded; how many there are. */
  long renumberMatching(Connection connection, List<RecordedLine> lines) throws SQLException {
    if (lines.isEmpty()) {
      return 0;
    }
    String sql =
        "UPDATE "
            + table
            + " h SET xid = '"
            + Rebase.RECORDED
            + "' FROM unnest(?::xid8[], ?::bigint[]) AS named(xid, id)"
            + " WHERE h.xid = named.xid AND h.id = named.id";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      RowIdentity.bind(statement, 1, identity.matching(connection, lines));
      return statement.executeUpdate();
    }
  }

  /** Refuses if rows are left that may be in one of these objects, which nobody can read. */
  void requireDecided(Connection connection, List<Long> absent) throws SQLException {
    String sql =
        "SELECT count(*), min(s.slot), max(s.slot) FROM "
            + table
            + " h JOIN "
            + names.table("slots")
            + " s ON s.lock_id = ? AND s.slot = ANY (?::bigint[]) AND (h.xid, h.id) BETWEEN"
            + " (s.first_xid, s.first_id) AND (s.last_xid, s.last_id), "
            + row
            + " r WHERE r.lock_id = s.lock_id AND "
            + covered
            + " AND "
            + MAY_BE_OWN
            + " AND NOT "
            + excluded;
    if (absent.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, lockId);
      statement.setString(2, SqlArrays.of(absent.stream().map(s -> Long.toString(s)).toList()));
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        if (found.getLong(1) > 0) {
          throw new DatabaseException(
              Kind.UNUSABLE,
              "of "
                  + found.getLong(1)
                  + " rows in "
                  + table
                  + " nobody can tell whether they are recorded: they may be in slots "
                  + found.getLong(2)
                  + " to "
                  + found.getLong(3)
                  + ", which have expired; restore those objects, or delete the rows that came"
                  + " with the dump and are older than slot "
                  + (found.getLong(3) + 1));
        }
      }
    }
  }

  /** Numbers every row anew that this transaction sees. */
  Counts renumberRest(Connection connection) throws SQLException {
    String sql =
        "WITH told AS (UPDATE "
            + table
            + " h SET xid = CASE WHEN "
            + recorded()
            + " THEN '"
            + Rebase.RECORDED
            + "'::xid8 ELSE '"
            + RowIdentity.WAITING
            + "'::xid8 END FROM "
            + row
            + " r WHERE r.lock_id = ? AND h.xid <> '"
            + Rebase.RECORDED
            + "' RETURNING h.xid) SELECT count(*) FILTER (WHERE xid = '"
            + Rebase.RECORDED
            + "'), count(*) FILTER (WHERE xid = '"
            + RowIdentity.WAITING
            + "') FROM told";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, lockId);
      try (ResultSet counts = statement.executeQuery()) {
        counts.next();
        return new Counts(counts.getLong(1), counts.getLong(2), 0);
      }
    }
  }

  /** The log goes on from the beginning of this server's history, and nobody holds it. */
  boolean beginAnew(Connection connection, Term term, LogHead head, Counts counts)
      throws SQLException {
    String sql =
        "WITH anew AS (UPDATE "
            + row
            + " SET done_snapshot = '3:3:', open_snapshot = NULL, open_xid = NULL, open_id = NULL,"
            + " rebased_slot = last_slot, rebased_epoch = epoch, holder = NULL, holder_pid = NULL,"
            + " holder_backend_start = NULL, released_at = clock_timestamp(), update_time = clock_timestamp()"
            + " WHERE lock_id = ? AND epoch = ? AND holder = ? AND last_slot = ?"
            + " RETURNING lock_id, epoch) UPDATE "
            + names.table("takeovers")
            + " t SET detail = concat_ws('; ', detail, ?::text) FROM anew"
            + " WHERE t.lock_id = anew.lock_id AND t.to_epoch = anew.epoch";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, term.lockId());
      statement.setLong(2, term.epoch());
      statement.setString(3, term.machine());
      statement.setLong(4, head.lastSlot());
      statement.setString(
          5,
          "rebased after slot "
              + head.lastSlot()
              + ": "
              + counts.recorded()
              + " rows here are recorded, "
              + counts.waiting()
              + " come next");
      return statement.executeUpdate() == 1;
    }
  }
}
