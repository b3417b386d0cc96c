package dev.recorder.requests.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SqlArrays;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.requests.Claim;
import dev.recorder.requests.MemoryReservation;
import dev.recorder.requests.Request;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.WorkUnit;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The locked rows of a unit; large payloads have not been read yet. */
final class LockedUnit {
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** No unit, since another session holds one of its rows. */
  private static final LockedUnit NONE = new LockedUnit();

  private final Map<Long, Request> requests = new LinkedHashMap<>();
  private final List<Long> withoutPayload = new ArrayList<>();
  private long bytes;
  private long fence;
  private boolean mayGoOn = true;

  private LockedUnit() {}

  static LockedUnit lock(SqlStatement statement, Claim.Begun begun) throws SQLException {
    LockedUnit unit = new LockedUnit();
    try (ResultSet row = RequestStatements.rows(statement)) {
      while (row.next()) {
        unit.add(row, begun);
      }
      return unit;
    } catch (SQLException e) {
      if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
        return NONE;
      }
      throw e;
    }
  }

  private void add(ResultSet row, Claim.Begun begun) throws SQLException {
    long id = row.getLong("id");
    RequestType type = RequestType.of(row.getString("request_type"));
    boolean open = !RequestStatus.of(row.getString("request_status")).isSettled();
    fence = Long.parseLong(row.getString("fence"));
    if (type == RequestType.CREATE && begun.type() == RequestType.UPDATE) {
      mayGoOn &= !open;
    } else if (open && (type == RequestType.UPDATE || id == begun.id())) {
      int attempts = row.getInt("attempts") - (id == begun.id() ? 1 : 0);
      long size = row.getLong("bytes");
      bytes += size;
      if (size > MemoryReservation.SMALL) {
        withoutPayload.add(id);
      }
      requests.put(
          id, new Request(id, type, row.getString("payload"), attempts, row.getLong("digest")));
    }
  }

  /** The size of all payloads together, in bytes. */
  long bytes() {
    return bytes;
  }

  /** Whether the payloads need a reservation of memory. */
  boolean isLarge() {
    return bytes > MemoryReservation.SMALL;
  }

  boolean lacksPayloads() {
    return !withoutPayload.isEmpty();
  }

  /** Reads the missing payloads. */
  LockedUnit readPayloads(SqlStatement payloads) throws SQLException {
    ResultSet row = payloads.set("ids", SqlArrays.of(withoutPayload)).query();
    while (row.next()) {
      String payload = row.getString(2);
      requests.computeIfPresent(
          row.getLong(1),
          (id, any) -> new Request(id, any.type(), payload, any.attempts(), any.digest()));
    }
    return this;
  }

  /** Whether the claimed request can be processed. */
  boolean mayGoOn(Claim.Begun begun) {
    return mayGoOn && requests.containsKey(begun.id());
  }

  /** Returns the unit; empty if it cannot be processed. */
  Optional<WorkUnit> unit(RecorderName recorder, Claim.Begun begun) {
    if (!mayGoOn(begun)) {
      return Optional.empty();
    }
    List<Request> all = List.copyOf(requests.values());
    return Optional.of(new WorkUnit(recorder, begun.entity(), begun.process(), fence, all));
  }
}
