package dev.recorder.lock;

/** What can befall a lease while it is held. */
enum Harm {
  SESSION_ENDED("the server ends its session"),
  FORCED("an operator takes it away"),
  DELETED("what holds it on the server is deleted"),
  OVERWRITTEN("somebody else is put in its place"),
  SERVER_RESTARTED("the server is restarted"),
  SERVER_FROZEN("the server is frozen"),
  NETWORK_CUT("the network is cut"),
  CONNECTIONS_REFUSED("every renewal fails"),
  ONE_RENEWAL_FAILED("one renewal fails"),
  SERVERS_CLOCK_AHEAD("the server's clock jumps ahead"),
  HOLDERS_CLOCK_AHEAD("its holder's clock jumps ahead"),
  /** As that of a host that is suspended. */
  HOLDERS_CLOCK_STOPPED("its holder's clock stands still for longer than it lasts");

  private final String when;

  Harm(String when) {
    this.when = when;
  }

  @Override
  public String toString() {
    return when;
  }
}
