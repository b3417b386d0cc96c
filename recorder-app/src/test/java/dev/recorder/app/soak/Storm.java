package dev.recorder.app.soak;

/**
 * Draws faults at random over three hosts that process requests, and proves at the end that each
 * request took effect once. Arguments: {@code --minutes N --seed S}.
 */
public final class Storm {
  private Storm() {}

  public static void main(String[] arguments) {
    Program.run("storm", arguments, (options, journal) -> new StormRun(options, journal).run());
  }
}
