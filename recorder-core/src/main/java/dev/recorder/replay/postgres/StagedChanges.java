package dev.recorder.replay.postgres;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.recorder.handoff.ChangeMark;
import dev.recorder.handoff.LineFields;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.reader.LogRow;
import dev.recorder.reader.LogSlot;
import dev.recorder.replay.ReplayTarget.StagedRows;
import dev.recorder.slotlog.WindowPart;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Changes that were read and not applied yet. They are in a temporary table of the target, since a
 * window may exceed this process's memory. Rows that are no captured changes are ignored, whatever
 * their content. So are {@code schema} rows without columns.
 */
final class StagedChanges {
  private static final int BUFFER = 1 << 16;

  private final Connection connection;
  private final Sql classify;
  private final LineFields fields = new LineFields();
  private final NavigableSet<Long> windows = new TreeSet<>();
  private final LogTimelines eras = new LogTimelines();
  private @Nullable WindowPart lastWindow;
  private int sinceAnalyze;

  /**
   * @param order SQL expression of the order of changes; their place in the log comes second:
   *     {@link #EFFECTS}
   */
  StagedChanges(Connection connection, String order) {
    this.connection = connection;
    this.classify = Sql.of(CLASSIFY, Map.of("order", order));
  }

  /** SQL expression: the number that rises in the order in which statements took effect. */
  static final String EFFECTS = "(m.seq #>> '{}')::bigint";

  /** The log's own order, by transactions. This order is wrong, as tests show with it. */
  static final String NONE = "0";

  private static final String TABLES =
      """
      CREATE TEMPORARY TABLE recorder_incoming (slot bigint, place integer, xid xid8, era integer,
        payload json)
        ON COMMIT DELETE ROWS;
      CREATE TEMPORARY TABLE recorder_changes (slot bigint, place integer, xid xid8, era integer,
        seq bigint, op text, name text, key json, before json, after json, whole json)
      """;

  void makeTables() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(TABLES);
    }
  }

  private static final String INCOMING = "COPY pg_temp.recorder_incoming FROM STDIN";

  private static final String CLASSIFY =
      """
      INSERT INTO pg_temp.recorder_changes
      SELECT i.slot, i.place, i.xid, i.era, {order}, m.op #>> '{}', m."table" #>> '{}', m.key,
        m.before, m.after,
        CASE WHEN m.op::text IN ('"schema"', '"truncate"') THEN i.payload END
      FROM pg_temp.recorder_incoming i,
        json_to_record(CASE WHEN json_typeof(i.payload) = 'object' THEN i.payload ELSE '{}' END)
          AS m (op json, "table" json, seq json, key json, before json, after json, columns json)
      WHERE m.op::text IN ('"insert"', '"update"', '"delete"', '"truncate"', '"snapshot"',
          '"schema"')
        AND json_typeof(m."table") = 'string' AND m.seq::text ~ '^[0-9]{1,18}$'
        AND (m.op::text <> '"schema"' OR m.columns::text LIKE '[%{%')
      """;

  /** Stages a slot's changes in the caller's transaction. Returns their number. */
  StagedRows add(LogSlot slot) throws SQLException {
    noteWindow(slot);
    eras.begin(slot.window().orElse(null));
    int lookAlikes = copy(slot);
    try (SqlStatement statement = classify.on(connection)) {
      int changes = statement.update();
      sinceAnalyze += changes;
      return new StagedRows(changes, lookAlikes);
    }
  }

  /** Notes the window of a slot. A window is added again after a failed attempt. */
  private void noteWindow(LogSlot slot) {
    WindowPart window = slot.window().orElse(null);
    WindowPart last = lastWindow;
    boolean isSame =
        window != null
            && last != null
            && !last.ends()
            && last.from().equals(window.from())
            && last.to().equals(window.to());
    if (!isSame) {
      windows.add(slot.slot());
    }
    lastWindow = window;
  }

  /** Returns the first slot of this slot's window. */
  long windowOf(long slot) {
    Long first = windows.floor(slot);
    return first == null ? slot : first;
  }

  /** Copies the slot's changes. Returns the number of rows that only look like changes. */
  private int copy(LogSlot slot) throws SQLException {
    int lookAlikes = 0;
    CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(INCOMING);
    try {
      ByteArrayOutputStream text = new ByteArrayOutputStream(2 * BUFFER);
      for (LogRow row : slot) {
        row.read(fields);
        if (ChangeMark.isOn(fields.payload()) && JsonTextCheck.isText(fields.payload())) {
          text.writeBytes(place(slot, row).getBytes(US_ASCII));
          escape(fields.payload(), text);
          text.write('\n');
        } else if (!ChangeMark.isOn(fields.payload())
            && JsonTextCheck.hasMembers(fields.payload())) {
          lookAlikes++;
        }
        if (text.size() >= BUFFER) {
          flush(text, copy);
        }
      }
      flush(text, copy);
      copy.endCopy();
      return lookAlikes;
    } finally {
      if (copy.isActive()) {
        copy.cancelCopy();
      }
    }
  }

  private String place(LogSlot slot, LogRow row) {
    return "%d\t%d\t%s\t%d\t"
        .formatted(
            slot.slot(),
            row.position().row(),
            Long.toUnsignedString(fields.xid()),
            eras.of(fields.xid()));
  }

  private static void flush(ByteArrayOutputStream text, CopyIn copy) throws SQLException {
    byte[] bytes = text.toByteArray();
    copy.writeToCopy(bytes, 0, bytes.length);
    text.reset();
  }

  /** Escapes a payload for COPY. A payload has no line breaks, and tabs only between its tokens. */
  private static void escape(ByteBuffer payload, ByteArrayOutputStream text) {
    byte[] bytes = payload.array();
    int from = payload.arrayOffset() + payload.position();
    int end = from + payload.remaining();
    for (int at = from; at < end; at++) {
      if (bytes[at] == '\\' || bytes[at] == '\t') {
        text.write(bytes, from, at - from);
        text.write('\\');
        from = bytes[at] == '\t' ? at + 1 : at;
        if (bytes[at] == '\t') {
          text.write('t');
        }
      }
    }
    text.write(bytes, from, end - from);
  }

  private static final int WORTH_STATISTICS = 1_000;

  /**
   * Updates statistics. Must be called before changes are applied, since plans for many changes
   * differ from plans for a few.
   */
  void analyze() throws SQLException {
    if (sinceAnalyze >= WORTH_STATISTICS) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("ANALYZE pg_temp.recorder_changes");
      }
      sinceAnalyze = 0;
    }
  }

  private static final Sql NAMES =
      Sql.of(
          """
          SELECT name, count(*), bool_or(op = 'schema') FROM pg_temp.recorder_changes
          WHERE slot < :end GROUP BY name ORDER BY name
          """);

  /**
   * The number of staged changes of a table.
   *
   * @param name the name in the changes, which may be no valid table's name
   * @param isSaid whether a change defines the table's columns
   */
  record StagedTable(String name, long changes, boolean isSaid) {
    private static StagedTable of(ResultSet row) throws SQLException {
      return new StagedTable(row.getString(1), row.getLong(2), row.getBoolean(3));
    }
  }

  /** Returns the tables with changes in slots before {@code end}. */
  List<StagedTable> tables(long end) throws SQLException {
    try (SqlStatement statement = NAMES.on(connection)) {
      return statement.set("end", end).all(StagedTable::of);
    }
  }

  private static final Sql BARRIERS =
      Sql.of(
          """
          SELECT era, seq, slot, place, op, coalesce(whole ->> 'where', '') AS rows,
            coalesce(whole ->> 'order', '') AS "order", whole::text,
            coalesce(whole ->> 'snapshot', '') AS snapshot,
            coalesce(whole ->> 'visible', '') AS visible,
            CASE WHEN whole ->> 'begun' ~ '^[0-9]{1,18}$' THEN (whole ->> 'begun')::bigint END
              AS begun
          FROM pg_temp.recorder_changes
          WHERE name = :name AND slot < :end AND op IN ('schema', 'truncate')
          ORDER BY era, seq, slot, place
          """);

  /** Returns the barriers between a table's changes, in order. */
  List<Barrier> barriers(String name, long end) throws SQLException {
    try (SqlStatement statement = BARRIERS.on(connection)) {
      return statement.set("name", name).set("end", end).all(Barrier::of);
    }
  }

  /**
   * Marks the beginning or end of a snapshot of the table.
   *
   * @param what {@code begin} or {@code end}; empty for neither
   * @param visible the transactions that the snapshot saw at its beginning
   * @param begun the statement number of the snapshot's beginning
   */
  record SnapshotMark(String what, String visible, long begun) {}

  /**
   * A change of the table itself, or of all its rows.
   *
   * @param where the rows that a truncation removes; empty for all
   * @param order the source's default order of texts, by which {@code where} compares; empty if
   *     unknown
   * @param payload the whole payload
   * @param mark the mark of a snapshot, if the row has one
   */
  record Barrier(
      EffectPosition place,
      boolean isSchema,
      String where,
      String order,
      String payload,
      SnapshotMark mark) {
    private static Barrier of(ResultSet row) throws SQLException {
      return new Barrier(
          EffectPosition.of(row),
          row.getString("op").equals("schema"),
          row.getString("rows"),
          row.getString("order"),
          row.getString("whole"),
          new SnapshotMark(
              row.getString("snapshot"), row.getString("visible"), row.getLong("begun")));
    }

    boolean removesAll() {
      return !isSchema && where.isEmpty();
    }
  }

  private static final Sql REST =
      Sql.of("SELECT EXISTS (SELECT FROM pg_temp.recorder_changes WHERE slot >= :end)");

  private static final Sql REMOVE =
      Sql.of("DELETE FROM pg_temp.recorder_changes WHERE slot < :end");

  /** Removes the changes of slots before {@code end}, after they were applied. */
  void removeUpTo(long end) throws SQLException {
    boolean rest;
    try (SqlStatement statement = REST.on(connection)) {
      rest = statement.set("end", end).truth();
    }
    if (rest) {
      try (SqlStatement statement = REMOVE.on(connection)) {
        statement.set("end", end).update();
      }
    } else {
      try (Statement statement = connection.createStatement()) {
        statement.execute("TRUNCATE pg_temp.recorder_changes");
      }
    }
    windows.headSet(end).clear();
  }
}
