package dev.recorder.simulation.time;

import java.util.ArrayList;
import java.util.List;

/** One direction between a machine and the database or the store. */
public final class Path {
  private static final double KEPT_FOR_LATER = 0.7;

  private final String name;
  private final VirtualTime time;
  private final Chance chance;
  private final List<Message> held = new ArrayList<>();
  private boolean cut;

  private record Message(String what, Runnable arrival) {}

  public Path(String name, VirtualTime time, Chance chance) {
    this.name = name;
    this.time = time;
    this.chance = chance;
  }

  public void carry(long delayNanos, String what, Runnable arrival) {
    time.after(delayNanos, name + " " + what, () -> arrive(new Message(what, arrival)));
  }

  private void arrive(Message message) {
    if (!cut) {
      message.arrival().run();
    } else if (chance.hit(KEPT_FOR_LATER)) {
      // Sent again by the sender's kernel until the path is there, or the sender gives up.
      time.note("held by the cut");
      held.add(message);
    } else {
      time.note("lost in the cut");
    }
  }

  public boolean isCut() {
    return cut;
  }

  public void cut() {
    cut = true;
  }

  public void heal() {
    cut = false;
    List<Message> released = List.copyOf(held);
    held.clear();
    released.forEach(
        message -> carry(chance.between(0, 50_000_000), message.what(), message.arrival()));
  }
}
