package dev.recorder.lock;

import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it was told. */
public final class Events implements LockListener {
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final Map<String, Runnable> reactions = new ConcurrentHashMap<>();

  /** With the time of this JVM. */
  public Instruments instruments() {
    return new Instruments(Ticker.system(), this);
  }

  /** What is done, besides, when it is told that. */
  public Events when(String event, Runnable reaction) {
    reactions.put(event, reaction);
    return this;
  }

  public List<String> told() {
    return told;
  }

  private void tell(String event) {
    told.add(event);
    reactions.getOrDefault(event, () -> {}).run();
  }

  @Override
  public void acquired(String lock, Duration waited) {
    tell("acquired");
  }

  @Override
  public void notAcquired(String lock, Duration waited) {
    tell("not acquired");
  }

  @Override
  public void inDoubt(String lock, Duration remaining) {
    tell("in doubt");
  }

  @Override
  public void confirmed(String lock) {
    tell("confirmed");
  }

  @Override
  public void lost(String lock, Loss loss) {
    tell("lost: " + loss.cause());
  }

  @Override
  public void released(String lock, Duration held) {
    tell("released");
  }
}
