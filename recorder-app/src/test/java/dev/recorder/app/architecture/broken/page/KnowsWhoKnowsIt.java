package dev.recorder.app.architecture.broken.page;

import dev.recorder.app.architecture.broken.http.IsKnownByWhomItKnows;
import dev.recorder.testing.network.Breaks;

@Breaks("PACKAGES_HAVE_NO_CYCLES")
public interface KnowsWhoKnowsIt {
  void know(IsKnownByWhomItKnows other);
}
