package dev.recorder.simulation.servers;

/** What tells a session from all others: pids are used again. */
record SessionId(int pid, long backendStart) {
  @Override
  public String toString() {
    return pid + "@" + backendStart;
  }
}
