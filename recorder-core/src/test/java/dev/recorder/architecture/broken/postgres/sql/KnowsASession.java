package dev.recorder.architecture.broken.postgres.sql;

import dev.recorder.architecture.broken.postgres.SomeSession;
import dev.recorder.testing.network.Breaks;

@Breaks("HOW_STATEMENTS_ARE_WRITTEN_KNOWS_NO_SESSION")
public interface KnowsASession {
  void know(SomeSession other);
}
