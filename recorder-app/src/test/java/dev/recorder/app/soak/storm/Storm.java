package dev.recorder.app.soak.storm;

import dev.recorder.app.soak.Launcher;

/**
 * Draws faults at random over three hosts that process requests, and proves at the end that each
 * request took effect once. Arguments: {@code --minutes N --seed S}.
 */
public final class Storm {
  private Storm() {}

  public static void main(String[] arguments) {
    Launcher.run("storm", arguments, StormRun::new);
  }
}
