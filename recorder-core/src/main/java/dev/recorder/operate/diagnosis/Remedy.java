package dev.recorder.operate.diagnosis;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.metrics.Readiness;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.postgres.holders.LockHolder;
import dev.recorder.store.StoreViolations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The steps that would change a host's state for a recorder. Pure. */
record Remedy(Facts facts, RecorderFacts recorder, String host, Optional<LockHolder> lock) {

  List<String> of(HostRole hostRole) {
    List<String> change = new ArrayList<>();
    String name = recorder.name();
    lock.filter(holder -> !holder.ours())
        .ifPresent(stranger -> change.add("a stranger holds its lock: " + stranger.remedy()));
    switch (hostRole.actual()) {
      case ACTIVE -> {
        boolean heldUp = hostRole.why() != null;
        if (heldUp) {
          change.add("it continues by itself once the cause is gone");
        }
        String unless = heldUp ? ", unless the same holds it up" : "";
        HostRole.living(facts, recorder).stream()
            .filter(HostRole::couldTake)
            .map(
                other ->
                    "another host takes it%s: recorder switchover %s --to %s"
                        .formatted(unless, name, other.host().name()))
            .forEach(change::add);
      }
      case PAUSED -> {
        change.add("it continues by itself when that time is over");
        change.add("it continues now: recorder resume " + name);
        if (hostRole.why() != null) {
          change.add("after that, this still holds it up: " + hostRole.why());
        }
      }
      case STUCK -> {
        change.add("it continues by itself once the cause is gone");
        change.add(
            "it hands over by itself once a peer that has tested its own store is able to take it");
      }
      case STANDBY -> {
        if (hostRole.waitsForKey()) {
          change.add(
              "it takes over by itself once it has the key of its election: when the active host"
                  + " releases the key, or the key expires");
          break;
        }
        if (hostRole.host().isPrimary(recorder)) {
          change.add(
              "it is the primary, and gets the recorder back once it has been healthy"
                  + " for failback_after (longer after faults), unless failback = manual");
        }
        change.add(
            "it takes over by itself when the active host dies, falls silent or releases it");
        change.add("it takes it now: recorder switchover %s --to %s".formatted(name, host));
      }
      case NOT_ABLE -> {
        change.add(unable(hostRole.why() == null ? "" : hostRole.why()));
      }
      case REFUSED -> {
        change.add(
            "correct what it names; if that is in the database or the store, then run on that host:"
                + " recorder reload");
        change.add("if it is a lockid or a place in its file, restart that host");
      }
      case SILENT ->
          change.add(
              "read its log; if it is frozen or cut off, let it continue or end its"
                  + " process; meanwhile a standby evicts it");
      case GONE ->
          change.add(
              facts.readOnly()
                  ? "make the database writable again; its process, if it runs, then registers by"
                      + " itself"
                  : "start it: recorder run; if its process runs, its log says what keeps it from"
                      + " the database, such as a password, and it comes back once that is"
                      + " corrected");
      case WORKS -> change.add("remove the recorder from its file, then: recorder reload");
    }
    return change;
  }

  private String unable(String why) {
    if (why.contains(Condition.UNDRAIN)) {
      return "it becomes a standby again: %s%s, or a restart".formatted(Condition.UNDRAIN, host);
    } else if (why.contains(Readiness.CHECKING)) {
      return "wait until it is checked: for s3_attempt_timeout at most if its store does not"
          + " answer";
    } else if (why.contains(StoreViolations.NO_MORE_TESTS)) {
      return "correct the cause; it tests again within 2 s";
    }
    return "correct the cause; it tests again every 2 s";
  }
}
