package dev.recorder.app.cli;

import dev.recorder.audit.postgres.LockWaits;
import java.util.function.Consumer;

/**
 * Waits for locks as long as the person does who runs the command, and says who has them: a line
 * for each that is in the way.
 */
final class ToldWaits implements LockWaits {
  private final String recorder;
  private final Consumer<String> says;
  private String last = "";

  ToldWaits(String recorder, Consumer<String> says) {
    this.recorder = recorder;
    this.says = says;
  }

  @Override
  public boolean goesOn(int times, String why) {
    if (!why.equals(last)) {
      last = why;
      says.accept("recorder: " + recorder + ": waits, and goes on by itself: " + Shown.of(why));
    }
    return true;
  }
}
