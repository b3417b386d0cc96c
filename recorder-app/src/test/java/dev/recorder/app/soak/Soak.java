package dev.recorder.app.soak;

/**
 * Draws faults at random over three instances under load and proves at the end that every committed
 * row was recorded once. Arguments: {@code --minutes N --seed S}.
 */
public final class Soak {
  private Soak() {}

  public static void main(String[] arguments) {
    Program.run("soak", arguments, (options, journal) -> new SoakRun(options, journal).run());
  }
}
