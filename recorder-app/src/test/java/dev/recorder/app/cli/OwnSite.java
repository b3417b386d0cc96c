package dev.recorder.app.cli;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of which each has a site of its own. */
abstract class OwnSite {
  @TempDir Path folder;
  TestSite site;

  @BeforeEach
  void create() throws Exception {
    site = TestSite.create(folder);
  }

  Run checkOnline() {
    return site.run("check", "--online");
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }
}
