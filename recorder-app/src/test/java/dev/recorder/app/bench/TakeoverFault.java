package dev.recorder.app.bench;

import dev.recorder.app.harness.Host;
import java.util.Locale;

/** What befalls the active host in a run, and how it comes back for the next one. */
enum TakeoverFault {
  SIGKILL {
    @Override
    void strike(Host host) {
      host.kill();
    }

    @Override
    void undo(Host host) {
      host.start();
    }
  },
  SIGSTOP {
    @Override
    void strike(Host host) {
      host.freeze();
    }

    @Override
    void undo(Host host) {
      host.thaw();
    }
  },
  CUT {
    @Override
    void strike(Host host) {
      host.cut();
    }

    @Override
    void undo(Host host) {
      host.heal();
    }
  };

  abstract void strike(Host host);

  abstract void undo(Host host);

  static TakeoverFault named(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
