package dev.recorder.simulation.servers;

/** A server process of the database, serving one connection. */
public final class FakeSession {
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

  public String machine() {
    return machine;
  }

  public boolean isControl() {
    return control;
  }

  public FakeDatabase database() {
    return database;
  }

  public boolean holdsLock(int lockId) {
    return database.lockHolder(FakeControlSession.lockOf(lockId)) == this;
  }

  public boolean isAlive() {
    return !ended;
  }

  /** Ends the session; what it held is free. */
  public void end() {
    ended = true;
    database.forget(this);
  }
}
