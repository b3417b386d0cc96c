package dev.recorder.app.soak;

/**
 * Draws faults at random over three instances under load and proves at the end that every committed
 * row was recorded once. Arguments: {@code --minutes N --seed S}.
 */
public final class Soak {
  private Soak() {}

  public static void main(String[] arguments) {
    Launcher.run("soak", arguments, SoakRun::new);
  }
}
