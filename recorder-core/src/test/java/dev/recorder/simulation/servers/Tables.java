package dev.recorder.simulation.servers;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** All that a database keeps, and can therefore be copied, or lose. */
public final class Tables {
  private static final long FIRST_XID = 1_000;

  final TreeMap<String, MachineRow> machines = new TreeMap<>();

  /** When each control session last beat, in microseconds of the database's clock. */
  final Map<SessionId, Long> beats = new HashMap<>();

  final TreeMap<Integer, RecorderRow> recorders = new TreeMap<>();
  final TreeMap<Integer, HandoffTable> handoff = new TreeMap<>();
  public final Map<SlotRow.Key, SlotRow> slots = new HashMap<>();
  public final List<TakeoverRow> takeovers = new ArrayList<>();

  /** To which machine operators have ordered recorders to be handed over, and nobody took it. */
  final Map<Integer, String> orders = new TreeMap<>();

  public final TreeMap<Long, ProducerTransaction> running = new TreeMap<>();

  /** Of those running the ones that are prepared for a commit in two phases. */
  final TreeSet<Long> prepared = new TreeSet<>();

  /** Until when nothing is to be read of a recorder, in nanoseconds of true time. */
  final TreeMap<Integer, Long> pausedUntil = new TreeMap<>();

  /** From which database, and when, a log's last slot was settled that was not adopted. */
  final TreeMap<Integer, Settled> settled = new TreeMap<>();

  record Settled(DatabaseIdentity by, long atNanos) {}

  long nextXid = FIRST_XID;
  private long latestCompletedXid = FIRST_XID - 1;

  /** Hands out an xid; its transaction is in progress until {@link #complete}. */
  long issueXid() {
    return nextXid++;
  }

  void complete(long xid) {
    latestCompletedXid = Math.max(latestCompletedXid, xid);
  }

  /** As PostgreSQL makes it: what lies beyond the latest completed transaction is not listed. */
  Snapshot snapshot() {
    long xmax = latestCompletedXid + 1;
    var inProgress = running.headMap(xmax).keySet();
    long xmin = inProgress.isEmpty() ? xmax : running.firstKey();
    return Snapshot.parse(
        xmin
            + ":"
            + xmax
            + ":"
            + inProgress.stream().map(String::valueOf).collect(Collectors.joining(",")));
  }

  /** The tables as another server, or this one after a restart, would have them. */
  public Tables copy() {
    Tables copy = new Tables();
    copy.machines.putAll(machines);
    copy.beats.putAll(beats);
    copy.recorders.putAll(recorders);
    handoff.forEach((lockId, table) -> copy.handoff.put(lockId, table.copy()));
    copy.slots.putAll(slots);
    copy.takeovers.addAll(takeovers);
    copy.orders.putAll(orders);
    copy.running.putAll(running);
    copy.prepared.addAll(prepared);
    copy.pausedUntil.putAll(pausedUntil);
    copy.settled.putAll(settled);
    copy.nextXid = nextXid;
    copy.latestCompletedXid = latestCompletedXid;
    return copy;
  }

  /** What was running when the server went down has aborted, unless it was prepared. */
  void abortAllRunning() {
    running.keySet().stream().filter(xid -> !prepared.contains(xid)).forEach(this::complete);
    running.keySet().retainAll(prepared);
  }
}
