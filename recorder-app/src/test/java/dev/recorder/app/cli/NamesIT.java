package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Recorders that are called by words of SQL, from the file to the object. */
class NamesIT extends OwnSite {
  @Test
  void aRecorderMayBeCalledByAReservedWord() throws Exception {
    site.configure(
        site.text().replace("[recorder:orders]", "[recorder:order]").replace("audit", "user"));
    site.start();

    site.record("order", 3);
    site.record("user", 2);

    site.run("verify").exits(0);
    assertThat(site.run("cat", "order").jsonLines()).hasSize(3);
    checkOnline().exits(0);
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

    site.run("requests", "add", "all", "e1", "--payload", "{\"a\":1}").exits(0);
    assertThat(site.run("requests", "list", "all").out()).contains("e1");
    assertThat(checkOnline().out()).doesNotContain("FAILED");
  }
}
