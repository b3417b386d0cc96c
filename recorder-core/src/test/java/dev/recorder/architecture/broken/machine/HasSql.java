package dev.recorder.architecture.broken.machine;

import dev.recorder.testing.network.Breaks;
import java.sql.ResultSet;

@Breaks("SQL_STANDS_IN_THE_WING_THAT_IT_SERVES")
public interface HasSql {
  void know(ResultSet other);
}
