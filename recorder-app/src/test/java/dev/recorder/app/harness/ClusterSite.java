package dev.recorder.app.harness;

import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import java.io.IOException;
import java.sql.SQLException;

/** A cluster on the PostgreSQL that tests share, with an S3 server of its own. */
public final class ClusterSite implements AutoCloseable {
  private final S3Server s3;
  private final Cluster cluster;

  public ClusterSite(Wiring wiring, Recording recording) throws SQLException {
    s3 = S3Server.start();
    cluster = Cluster.on(PostgresServer.shared(), s3, wiring, recording);
  }

  public Cluster cluster() {
    return cluster;
  }

  @Override
  public void close() throws SQLException, IOException {
    cluster.close();
    s3.close();
  }
}
