package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.testing.servers.PgBouncer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks of sessions do not hold behind a pooler: none is worked with, in whichever mode. */
@Timeout(300)
class PoolerIT {
  @TempDir private Path folder;
  private TestSite site;

  @BeforeEach
  void open() throws Exception {
    assumeTrue(PgBouncer.missing().isEmpty(), () -> PgBouncer.missing().orElse(""));
    site = TestSite.create(folder);
  }

  @AfterEach
  void close() throws Exception {
    if (site != null) {
      site.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"session", "transaction"})
  void pgBouncerIsRefused(String mode) throws Exception {
    try (PgBouncer pooler = PgBouncer.start(site.database.server(), mode)) {
      site.configure(site.textWithPort(pooler.port()));
      for (String command : new String[] {"check --online", "status", "run"}) {
        Run run = site.run(command.split(" "));

        assertThat(run.out() + run.err())
            .as(command)
            .contains("a connection pooler stands in front of", "give the server's own endpoint");
        run.exits(78);
      }
    }
  }
}
