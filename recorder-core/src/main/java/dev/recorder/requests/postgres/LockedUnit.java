package dev.recorder.requests.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.SqlStatement;
import dev.recorder.requests.Claim;
import dev.recorder.requests.Request;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.Room;
import dev.recorder.requests.WorkUnit;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of a unit once they are locked, of which large payloads are yet to be read. */
final class LockedUnit {
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** Somebody else has a row of it. */
  private static final LockedUnit NONE = new LockedUnit();

  private final List<Request> requests = new ArrayList<>();
  private final Map<Long, String> large = new HashMap<>();
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
    long id = row.getLong(1);
    RequestType type = RequestType.of(row.getString(2));
    boolean open = !RequestStatus.of(row.getString(3)).isSettled();
    fence = Long.parseLong(row.getString(5));
    if (type == RequestType.CREATE && begun.type() == RequestType.UPDATE) {
      mayGoOn &= !open;
    } else if (open && (type == RequestType.UPDATE || id == begun.id())) {
      int attempts = row.getInt(4) - (id == begun.id() ? 1 : 0);
      long size = row.getLong(6);
      bytes += size;
      if (size > Room.SMALL) {
        withoutPayload.add(id);
      }
      requests.add(new Request(id, type, row.getString(7), attempts));
    }
  }

  /** Of all payloads together. */
  long bytes() {
    return bytes;
  }

  /** Whether they take more than a unit may have without asking. */
  boolean isLarge() {
    return bytes > Room.SMALL;
  }

  List<Long> withoutPayload() {
    return withoutPayload;
  }

  void put(long id, @Nullable String payload) {
    large.put(id, payload);
  }

  /** Whether the request that was begun can be worked on. */
  boolean mayGoOn(Claim.Begun begun) {
    return mayGoOn && requests.stream().anyMatch(request -> request.id() == begun.id());
  }

  /** Empty if it cannot. */
  Optional<WorkUnit> unit(RecorderName recorder, Claim.Begun begun) {
    if (!mayGoOn(begun)) {
      return Optional.empty();
    }
    requests.replaceAll(
        request ->
            large.containsKey(request.id())
                ? new Request(
                    request.id(), request.type(), large.get(request.id()), request.attempts())
                : request);
    return Optional.of(new WorkUnit(recorder, begun.entity(), begun.process(), fence, requests));
  }
}
