package dev.recorder.operate;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.postgres.holders.LockHolder;
import dev.recorder.store.LostRaces;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What would make a machine be something else to a recorder than it is. Pure. */
record Remedy(Facts facts, RecorderFacts recorder, String host, Optional<LockHolder> lock) {

  List<String> of(Standing standing) {
    List<String> change = new ArrayList<>();
    String name = recorder.name();
    lock.filter(holder -> !holder.ours())
        .ifPresent(stranger -> change.add("a stranger holds its lock: " + stranger.remedy()));
    switch (standing.actual()) {
      case ACTIVE -> {
        boolean heldUp = stated(standing, About.HELD_UP).isPresent();
        if (heldUp) {
          change.add("it goes on by itself once what is in its way is gone");
        }
        String unless = heldUp ? ", unless the same is in its way" : "";
        for (HostFacts other : facts.living()) {
          if (!other.name().equals(host) && other.isAble(recorder)) {
            change.add(
                "another takes it%s: recorder switchover %s --to %s"
                    .formatted(unless, name, other.name()));
          }
        }
      }
      case PAUSED -> {
        change.add("it goes on by itself when that time is over");
        change.add("it goes on now: recorder resume " + name);
        stated(standing, About.HELD_UP)
            .ifPresent(why -> change.add("then this would still be in its way: " + why));
      }
      case STUCK -> {
        change.add("it goes on by itself once what is in its way is gone");
        change.add("it hands over by itself once a peer is able that has tested its own store");
      }
      case STANDBY -> {
        if (standing.host().waitsForKey(recorder)) {
          change.add(
              "it takes over by itself once it has the key of its election: when the active host"
                  + " lets go of it, or it has expired");
          break;
        }
        if (standing.host().isPrimary(recorder)) {
          change.add(
              "it is its primary, and gets it back by itself once it has been healthy for"
                  + " failback_after, longer after faults; but not where failback = manual");
        }
        change.add("it takes over by itself when the active host dies, falls silent or lets go");
        change.add("it takes it now: recorder switchover %s --to %s".formatted(name, host));
      }
      case NOT_ABLE -> {
        change.add(unable(stated(standing, About.UNABLE).orElse("")));
      }
      case REFUSED -> {
        change.add(
            "put in order what it says; if that is in the database or the store, then on that host:"
                + " recorder reload");
        change.add("if it is a lockid or a place in its file, then restart that host");
      }
      case SILENT ->
          change.add(
              "see what its log says; if it is frozen or cut off, let it run on, or end its"
                  + " process; a standby evicts it meanwhile");
      case GONE ->
          change.add(
              facts.readOnly()
                  ? "let the database be written to again: its process, if it is there, registers by itself then"
                  : "start it: recorder run; if its process is there, its log says what keeps it from the"
                      + " database, such as a password: it comes back once that is put right");
      case WORKS -> change.add("leave the recorder out of its file, and SIGHUP");
    }
    return change;
  }

  private String unable(String why) {
    if (why.contains(Condition.UNDRAIN)) {
      return "it stands by again: %s%s, or a restart".formatted(Condition.UNDRAIN, host);
    } else if (why.contains(Condition.CHECKING)) {
      return "wait until it is checked: for s3_attempt_timeout at most if its store does not"
          + " answer";
    } else if (why.contains(LostRaces.NO_MORE_TESTS)) {
      return "do what it says; then it tests again within 2 s";
    }
    return "put in order what is in its way; it tests again every 2 s";
  }

  private Optional<String> stated(Standing standing, About about) {
    return standing.host().condition(recorder.name(), about).map(Condition::why);
  }
}
