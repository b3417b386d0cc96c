package dev.recorder.app.bench.locks;

import java.util.ArrayDeque;
import java.util.Deque;

/** A contestant whose clients open something, which is closed with it. */
final class Opener implements Contestant {
  private final String name;
  private final Kind kind;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Makes a client. */
  @FunctionalInterface
  interface Kind {
    Contestant.Client client(Opener opener) throws Exception;
  }

  Opener(String name, Kind kind) {
    this.name = name;
    this.kind = kind;
  }

  <T extends AutoCloseable> T keep(T opened) {
    open.push(opened);
    return opened;
  }

  /** Another name for each client. */
  String worker() {
    return "bench-" + open.size();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Client client() throws Exception {
    return kind.client(this);
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }
}
