package dev.recorder.architecture.broken.capture.script;

import dev.recorder.architecture.broken.postgres.SomeSession;
import dev.recorder.testing.network.Breaks;

@Breaks("SCRIPTS_OF_CAPTURES_KNOW_NO_SESSION")
public interface OpensASession {
  void know(SomeSession other);
}
