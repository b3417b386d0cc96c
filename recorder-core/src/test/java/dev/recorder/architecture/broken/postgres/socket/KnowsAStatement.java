package dev.recorder.architecture.broken.postgres.socket;

import dev.recorder.architecture.broken.postgres.sql.SomeStatement;
import dev.recorder.testing.network.Breaks;

@Breaks("SOCKETS_KNOW_NO_SESSION_AND_NO_STATEMENT")
public interface KnowsAStatement {
  void know(SomeStatement other);
}
