package dev.recorder.app.bench;

import dev.recorder.app.harness.Host;
import java.util.Locale;

/** What befalls the active host in a run, and how it comes back for the next one. */
enum TakeoverFault {
  SIGKILL,
  SIGSTOP,
  CUT;

  void strike(Host host) {
    switch (this) {
      case SIGKILL -> host.kill();
      case SIGSTOP -> host.freeze();
      case CUT -> host.cut();
    }
  }

  void undo(Host host) {
    switch (this) {
      case SIGKILL -> host.start();
      case SIGSTOP -> host.thaw();
      case CUT -> host.heal();
    }
  }

  static TakeoverFault named(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
