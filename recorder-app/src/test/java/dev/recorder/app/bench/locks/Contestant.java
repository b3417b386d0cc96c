package dev.recorder.app.bench.locks;

/** One way to have a lock, to be compared with others. */
interface Contestant extends AutoCloseable {
  String name();

  /** A client as a process of its own has one; to be used by one thread. */
  Client client() throws Exception;

  @Override
  void close() throws Exception;

  /** Has the lock and gives it back. */
  @FunctionalInterface
  interface Client {
    /** Waits for the lock, if it must. */
    void cycle() throws Exception;
  }
}
