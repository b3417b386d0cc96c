package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recorders that are called by words of SQL, from the file to the object. */
class NamesIT {
  @TempDir private Path folder;
  private TestSite site;

  @BeforeEach
  void create() throws Exception {
    site = TestSite.create(folder);
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @Test
  void aRecorderMayBeCalledByAReservedWord() throws Exception {
    site.configure(
        site.text().replace("[recorder:orders]", "[recorder:order]").replace("audit", "user"));
    site.start();

    site.record("order", 3);
    site.record("user", 2);

    assertThat(site.run("verify").exitCode()).isZero();
    assertThat(site.run("cat", "order").jsonLines()).hasSize(3);
    Run check = site.run("check", "--online");
    assertThat(check.exitCode()).as(check.out()).isZero();
    assertThat(site.run("status").out()).contains("order", "user");
    Run schema = site.run("schema");
    site.database.execute(schema.out());
  }

  @Test
  void aRecorderOfRequestsMayBeCalledByAReservedWord() throws Exception {
    site.configure(
        site.text()
            + """
            [recorder:all]
            lockid = 3
            kind = requests
            """);
    site.start();

    Run added = site.run("requests", "add", "all", "e1", "--payload", "{\"a\":1}");

    assertThat(added.exitCode()).as(added.err()).isZero();
    assertThat(site.run("requests", "list", "all").out()).contains("e1");
    assertThat(site.run("check", "--online").out()).doesNotContain("FAILED");
  }
}
