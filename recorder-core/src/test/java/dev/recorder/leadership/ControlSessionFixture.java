package dev.recorder.leadership;

import java.time.Duration;
import java.util.Set;

/**
 * What {@link ControlSessionContract} needs around control sessions: a database with the recorders
 * {@value #ORDERS} and {@value #INVOICES}, which nobody has held.
 */
public interface ControlSessionFixture extends AutoCloseable {
  int ORDERS = 1;
  int INVOICES = 2;

  /** A process of this machine, which has not connected yet. */
  ControlSession process(String machine, Set<Integer> primaryFor);

  /** Changes what the latest process of this machine is the primary of. */
  void prefer(String machine, Set<Integer> primaryFor);

  /** An operator orders {@value #ORDERS} to be handed over to this machine, or has it withdrawn. */
  void order(String to, boolean withdrawn);

  /** Time goes by on the database's clock, in which no machine beats. */
  void pass(Duration time);

  /** The server ends the control session of the machine; returns when it is gone. */
  void endSession(String machine);

  @Override
  void close();
}
