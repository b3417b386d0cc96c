package dev.recorder.simulation;

/** What may befall a machine, the network or the database, at any step. */
enum Fault {
  /** The process is killed; its host closes its connections. */
  KILL,
  /** The host loses power; nobody closes its connections. */
  POWER_LOSS,
  /** The process is asked to stop, and started again. */
  GRACEFUL_STOP,
  /** The process stands still for about a second. */
  SHORT_PAUSE,
  /** The process stands still for about five seconds. */
  LONG_PAUSE,
  /** Nothing goes to or comes from the database. */
  CUT_DATABASE,
  /** Nothing goes to the database, but what it says arrives. */
  CUT_TO_DATABASE,
  /** Nothing comes from the database, but it hears. */
  CUT_FROM_DATABASE,
  /** Nothing goes to or comes from the store. */
  CUT_STORE,
  /** What the store says does not arrive. */
  CUT_FROM_STORE,
  /** The machine is alone. */
  CUT_BOTH,
  /** The server ends one session. */
  END_SESSION,
  /** The server crashes and starts again. */
  DATABASE_CRASH,
  /** Another server, which has not yet got the last commits, takes the database's place. */
  FAILOVER,
  /** The same, and one machine's control loop stands still and does not notice for a while. */
  FAILOVER_UNNOTICED,
  /** The same, and the server before it does not notice and goes on for a while. */
  SPLIT_BRAIN,
  /** A wall clock jumps. */
  CLOCK_JUMP,
  /** An operator pauses a recorder for some seconds, whoever has it meanwhile. */
  OPERATOR_PAUSE,
  /** An operator orders a recorder to be handed over, and withdraws that after a while. */
  OPERATOR_SWITCHOVER,
  /** An operator has a machine drained for some seconds. */
  OPERATOR_DRAIN
}
