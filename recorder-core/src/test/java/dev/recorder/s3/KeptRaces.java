package dev.recorder.s3;

import dev.recorder.store.LostRaces;
import dev.recorder.store.Promise;
import java.util.ArrayList;
import java.util.List;

/** Keeps lost races in memory, for as many machines as a test has. */
final class KeptRaces implements LostRaces {
  final List<Race> races = new ArrayList<>();

  /** Why nobody can look; empty if everybody can. */
  String blind = "";

  /** Why nothing can be noted; empty if it can. */
  String mute = "";

  int asked;

  record Race(Promise promise, String what) {}

  @Override
  public RaceFinding find(Promise wanted) {
    asked++;
    if (!blind.isEmpty()) {
      return new Unknown(blind);
    }
    return races.stream()
        .filter(race -> race.promise() == Promise.CREATION || race.promise() == wanted)
        .<RaceFinding>map(race -> new Lost("kept: " + race.what()))
        .findFirst()
        .orElse(new None());
  }

  @Override
  public String note(Promise lost, String what) {
    if (mute.isEmpty()) {
      races.add(new Race(lost, what));
    }
    return mute;
  }
}
