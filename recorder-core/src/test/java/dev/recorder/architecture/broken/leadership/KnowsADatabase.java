package dev.recorder.architecture.broken.leadership;

import dev.recorder.testing.network.Breaks;
import java.sql.Connection;

@Breaks("LOGIC_KNOWS_NO_DATABASE_NO_STORE_NO_NETWORK")
public interface KnowsADatabase {
  void know(Connection other);
}
