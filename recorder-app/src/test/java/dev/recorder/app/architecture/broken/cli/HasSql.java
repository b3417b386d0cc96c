package dev.recorder.app.architecture.broken.cli;

import dev.recorder.testing.network.Breaks;
import java.sql.Connection;

@Breaks("SQL_STANDS_IN_THE_LIBRARY")
public interface HasSql {
  void know(Connection other);
}
