package dev.recorder.lock.redis;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LockListener;
import dev.recorder.lock.Loss;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it was told. */
final class Events implements LockListener {
  private final List<String> told = new CopyOnWriteArrayList<>();

  Instruments instruments() {
    return new Instruments(Ticker.system(), this);
  }

  List<String> told() {
    return told;
  }

  @Override
  public void acquired(String lock, Duration waited) {
    told.add("acquired");
  }

  @Override
  public void inDoubt(String lock, Duration remaining) {
    told.add("in doubt");
  }

  @Override
  public void confirmed(String lock) {
    told.add("confirmed");
  }

  @Override
  public void lost(String lock, Loss loss) {
    told.add("lost: " + loss.cause());
  }

  @Override
  public void released(String lock, Duration held) {
    told.add("released");
  }
}
