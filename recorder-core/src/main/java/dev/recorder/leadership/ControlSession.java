package dev.recorder.leadership;

/**
 * Port: the host's one control session with the database. Called by one thread. Answers instead of
 * throwing, within the network time-out. No action may wait for a lock.
 */
public interface ControlSession {
  ControlAnswer perform(ControlAction action);
}
