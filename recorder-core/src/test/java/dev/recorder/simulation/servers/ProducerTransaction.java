package dev.recorder.simulation.servers;

import java.util.ArrayList;
import java.util.List;

/** A running transaction of an application that writes hand-off rows. */
public final class ProducerTransaction {
  public final FakeDatabase database;
  final boolean asynchronousCommit;
  final long beganAtMicros;
  public final List<PendingRow> rows = new ArrayList<>();

  /** What the server had when it began: a server that comes after knows nothing of it. */
  final Tables tables;

  /** 0 until the first insert. */
  public long xid;

  /** A row that only its own transaction sees. */
  public record PendingRow(int lockId, StoredRow stored) {}

  ProducerTransaction(FakeDatabase database, boolean asynchronousCommit, long beganAtMicros) {
    this.database = database;
    this.tables = database.tables();
    this.asynchronousCommit = asynchronousCommit;
    this.beganAtMicros = beganAtMicros;
  }
}
