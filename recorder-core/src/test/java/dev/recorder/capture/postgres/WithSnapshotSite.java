package dev.recorder.capture.postgres;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Each test has a {@link SnapshotSite} of its own. */
public abstract class WithSnapshotSite {
  protected SnapshotSite site;

  @BeforeEach
  public final void openSite() throws Exception {
    site = new SnapshotSite();
  }

  @AfterEach
  public final void closeSite() throws Exception {
    site.close();
  }
}
