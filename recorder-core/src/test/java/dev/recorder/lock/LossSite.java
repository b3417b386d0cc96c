package dev.recorder.lock;

import dev.recorder.lock.LockKind.Client;
import java.time.Duration;

/**
 * Locks of one kind for one test, on a server that it may harm, and a way there that it may cut.
 */
interface LossSite extends AutoCloseable {
  /** A client whose leases are to be harmed. */
  Client holder(Harm harm, Instruments instruments);

  /** A client that only the server's faults reach. */
  Client other();

  /** How long a lease lasts that nobody confirms. */
  Duration expiry();

  /** For how long a holder that has been told may still be busy with what it has lost. */
  Duration aftermath();

  /** What a holder does now and then to keep its lease: nothing, where it is renewed by itself. */
  default void keep(Lease lease) {}

  /** Does it, to the lock of this name or to what stands behind it. Clocks are not its affair. */
  Undo harm(Harm harm, String name) throws Exception;

  @Override
  void close() throws Exception;

  /** Undoes what can be undone. */
  @FunctionalInterface
  interface Undo extends AutoCloseable {
    Undo NOTHING = () -> {};

    @Override
    void close() throws Exception;
  }
}
