package dev.recorder.simulation;

/** A server process of the database, serving one connection. */
final class FakeSession {
  private final FakeDatabase database;
  private final SessionId id;
  private final String machine;
  private final boolean control;
  private boolean ended;
  long lastUsedAt;

  FakeSession(FakeDatabase database, SessionId id, String machine, boolean control) {
    this.database = database;
    this.id = id;
    this.machine = machine;
    this.control = control;
  }

  SessionId id() {
    return id;
  }

  String machine() {
    return machine;
  }

  boolean isControl() {
    return control;
  }

  FakeDatabase database() {
    return database;
  }

  boolean holdsLock(int lockId) {
    return database.lockHolder(FakeControlSession.lockOf(lockId)) == this;
  }

  boolean isAlive() {
    return !ended;
  }

  /** Ends the session; what it held is free. */
  void end() {
    ended = true;
    database.forget(this);
  }
}
