package dev.recorder.operate.site;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.leadership.postgres.Conditions;
import dev.recorder.leadership.postgres.LastSign;
import dev.recorder.metrics.Readiness;
import dev.recorder.operate.orders.LastVerdict;
import dev.recorder.operate.orders.PausedRecorder;
import dev.recorder.operate.orders.Pauses;
import dev.recorder.operate.orders.Verdicts;
import dev.recorder.postgres.settings.SettingOverrides;
import dev.recorder.postgres.sql.LatestRowVersion;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@link Facts} by several statements, one after the other. Rows that wait in an exclusively
 * locked table are left out.
 */
public final class FactQueries {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SchemaNames schemas;
  private final StatusQueries status;
  private final HorizonQuery horizon = new HorizonQuery();
  private final Sql more;
  private final Sql stated;
  private final Sql changes;

  public FactQueries(SchemaNames schemas, StatusQueries status) {
    this.schemas = schemas;
    this.status = status;
    Map<String, String> pieces =
        new HashMap<>(Map.of("logs", LatestRowVersion.LOGS, "machines", LatestRowVersion.MACHINES));
    pieces.putAll(LastSign.PIECES);
    this.more = Sql.in(schemas, MORE, pieces);
    this.stated = Sql.in(schemas, STATED, pieces);
    this.changes = Sql.in(schemas, CHANGES, pieces);
  }

  private static final Sql NOW =
      Sql.of("SELECT clock_timestamp(), current_setting('transaction_read_only') = 'on'");

  public Facts facts(Connection connection, Duration freshWithin, int countUpTo)
      throws SQLException {
    SettingOverrides.facts(connection);
    List<HostFacts> hosts = hosts(connection, freshWithin);
    List<RecorderFacts> recorders = recorders(connection, countUpTo);
    if (changedHands(hosts, recorders)) {
      hosts = hosts(connection, freshWithin);
    }
    List<HostFacts> found = hosts;
    try (SqlStatement now = NOW.on(connection)) {
      Optional<HorizonFacts> oldest = horizon.oldest(connection);
      return now.first(
              row ->
                  new Facts(
                      row.getObject(1, OffsetDateTime.class).toInstant(),
                      found,
                      recorders,
                      oldest,
                      row.getBoolean(2)))
          .orElseThrow();
    }
  }

  /**
   * Whether a living host does not state what a recorder's row says of it, since a recorder changed
   * hands after the hosts were read.
   */
  private static boolean changedHands(List<HostFacts> hosts, List<RecorderFacts> recorders) {
    return recorders.stream()
        .anyMatch(
            recorder ->
                hosts.stream()
                    .filter(HostFacts::isAlive)
                    .anyMatch(
                        host ->
                            host.name().equals(recorder.status().holder())
                                != host.status().active().contains(recorder.lockId())));
  }

  private record More(
      boolean hasSession, Set<Integer> stuck, Map<String, String> sections, Duration age) {
    /** The condition of a host that has just registered and has not stated its conditions yet. */
    List<Condition> unstated() {
      return age.compareTo(Limits.CHECKING) > 0
          ? List.of()
          : sections.keySet().stream()
              .filter(section -> section.startsWith(RECORDER))
              .map(section -> section.substring(RECORDER.length()))
              .map(name -> new Condition(name, About.UNABLE, Readiness.CHECKING, age))
              .toList();
    }
  }

  private static final String RECORDER = "recorder:";

  private static final String MORE =
      """
      WITH RECURSIVE {machines}
      SELECT i.name, s.pid IS NOT NULL, i.stuck, i.config_sections::text,
        (extract(epoch FROM clock_timestamp() - i.backend_start) * 1000)::bigint
      FROM machines i LEFT JOIN pg_stat_activity s USING (pid, backend_start)
      """;

  private static final String STATED =
      """
      WITH RECURSIVE {machines}
      SELECT name, conditions::text,
        (extract(epoch FROM clock_timestamp() - stated_at) * 1000)::bigint
      FROM machines JOIN {conditions} USING (name, pid, backend_start)
      """;

  private List<HostFacts> hosts(Connection connection, Duration freshWithin) throws SQLException {
    Map<String, More> byName = new HashMap<>();
    try (SqlStatement statement = more.on(connection);
        ResultSet row = statement.query()) {
      while (row.next()) {
        Set<Integer> stuck = Set.copyOf(List.of((Integer[]) row.getArray(3).getArray()));
        byName.put(
            row.getString(1),
            new More(
                row.getBoolean(2),
                stuck,
                sections(row.getString(4)),
                Duration.ofMillis(Math.max(0, row.getLong(5)))));
      }
    }
    Map<String, List<Condition>> conditions = conditions(connection);
    return status.machines(connection, freshWithin).stream()
        .filter(machine -> byName.containsKey(machine.name()))
        .map(
            machine -> {
              More known = byName.getOrDefault(machine.name(), NOTHING);
              return new HostFacts(
                  machine,
                  known.hasSession,
                  known.stuck,
                  known.sections,
                  conditions.getOrDefault(machine.name(), known.unstated()));
            })
        .toList();
  }

  private static final More NOTHING = new More(false, Set.of(), Map.of(), Duration.ZERO);

  /** Reads conditions, with the time that has passed since they were stated. */
  private Map<String, List<Condition>> conditions(Connection connection) throws SQLException {
    Map<String, List<Condition>> byName = new HashMap<>();
    try (SqlStatement statement = stated.on(connection);
        ResultSet row = statement.query()) {
      while (row.next()) {
        Duration since = Duration.ofMillis(Math.max(0, row.getLong(3)));
        byName.put(
            row.getString(1),
            Conditions.parse(row.getString(2)).stream()
                .map(c -> new Condition(c.recorder(), c.about(), c.why(), c.lasts().plus(since)))
                .toList());
      }
    }
    return byName;
  }

  private static Map<String, String> sections(String json) {
    try {
      return JSON.readValue(json, new TypeReference<Map<String, String>>() {});
    } catch (JsonProcessingException notOurs) {
      return Map.of(); // Written by a version that we do not understand; nothing can be compared.
    }
  }

  private record Change(
      @Nullable Instant begunAt,
      @Nullable Instant lastSign,
      @Nullable String switchTo,
      @Nullable String switchWhy) {}

  private static final Change NO_CHANGE = new Change(null, null, null, null);

  private static final String CHANGES =
      """
      WITH RECURSIVE {logs}
      SELECT lock_id, begun_at, {last_sign}, switch_to, switch_why FROM logs r
      """;

  private List<RecorderFacts> recorders(Connection connection, int countUpTo) throws SQLException {
    Map<Integer, Change> byLock = new HashMap<>();
    try (SqlStatement statement = changes.on(connection);
        ResultSet row = statement.query()) {
      while (row.next()) {
        byLock.put(
            row.getInt(1),
            new Change(instant(row, 2), instant(row, 3), row.getString(4), row.getString(5)));
      }
    }
    Map<String, PausedRecorder> paused = new Pauses(connection, schemas).all();
    Map<Integer, LastVerdict> verdicts = new Verdicts(connection, schemas).all();
    Map<Integer, Instant> oldest = new HashMap<>();
    return status.recorders(connection, countUpTo, oldest::put).stream()
        .map(
            recorder -> {
              Change change = byLock.getOrDefault(recorder.lockId(), NO_CHANGE);
              return new RecorderFacts(
                  recorder,
                  change.begunAt,
                  change.lastSign,
                  change.switchTo,
                  change.switchWhy,
                  oldest.get(recorder.lockId()),
                  paused.get(recorder.name()),
                  verdicts.get(recorder.lockId()));
            })
        .toList();
  }

  private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
