package dev.recorder.simulation.time;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** What happened in a run: a hash of all of it, and the last lines in words. */
public final class Trace {
  private static final int TAIL = Integer.getInteger("simulation.trace", 150);

  private record Line(long at, String what) {}

  private final Deque<Line> tail = new ArrayDeque<>();
  private long hash = 0xcbf29ce484222325L;
  private long lines;

  void add(long at, String what) {
    mix(at);
    for (int i = 0; i < what.length(); i++) {
      mix(what.charAt(i));
    }
    lines++;
    tail.addLast(new Line(at, what));
    if (tail.size() > TAIL) {
      tail.removeFirst();
    }
  }

  private void mix(long value) {
    hash = (hash ^ value) * 0x100000001b3L;
  }

  public long hash() {
    return hash;
  }

  public String tail() {
    StringBuilder text = new StringBuilder("… " + (lines - tail.size()) + " lines before\n");
    for (Line line : tail) {
      text.append(String.format(Locale.ROOT, "%12.6f  %s%n", line.at() / 1e9, line.what()));
    }
    return text.toString();
  }
}
