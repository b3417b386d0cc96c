package dev.recorder.capture.postgres;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Each test has a {@link KeptSite} of its own. */
public abstract class WithKeptSite {
  protected KeptSite kept;
  protected CaptureSite site;

  @BeforeEach
  public final void openSite() throws Exception {
    kept = new KeptSite();
    site = kept.site;
  }

  @AfterEach
  public final void closeSite() throws Exception {
    kept.close();
  }
}
