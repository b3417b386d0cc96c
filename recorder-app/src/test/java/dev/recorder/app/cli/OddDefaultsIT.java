package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.OddDefaults;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A database whose administrator has given its sessions other defaults than the server's. */
@Timeout(300)
class OddDefaultsIT {
  @TempDir private Path folder;
  private TestSite site;

  @BeforeEach
  void create() throws Exception {
    site = TestSite.create(folder);
    OddDefaults.giveTo(site.database);
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @Test
  void aHostRecordsAndCommandsAnswerAsAnywhere() throws Exception {
    site.start();
    site.record("orders", 3);
    site.execute("INSERT INTO handoff.orders (payload) VALUES ('{\"a\": \"\\u00e9\"}')");
    site.record("orders", 1);

    site.run("check", "--online").exits(0);
    site.run("status").exits(0);
    site.run("verify", "orders").exits(0);
    site.run("takeovers").exits(0);
    assertThat(site.ask("SELECT count(*) FROM recorder.takeovers WHERE reason = 'start'"))
        .isEqualTo("2");
  }
}
