package dev.recorder.app.architecture.broken.http;

import dev.recorder.app.architecture.broken.page.KnowsWhoKnowsIt;
import dev.recorder.testing.network.Breaks;

@Breaks("PACKAGES_HAVE_NO_CYCLES")
public interface IsKnownByWhomItKnows {
  void know(KnowsWhoKnowsIt other);
}
