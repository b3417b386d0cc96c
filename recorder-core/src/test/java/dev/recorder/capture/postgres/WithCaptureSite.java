package dev.recorder.capture.postgres;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Each test has a {@link CaptureSite} of its own. */
public abstract class WithCaptureSite {
  protected CaptureSite site;

  @BeforeEach
  public final void openSite() throws Exception {
    site = new CaptureSite();
  }

  @AfterEach
  public final void closeSite() throws Exception {
    site.close();
  }
}
