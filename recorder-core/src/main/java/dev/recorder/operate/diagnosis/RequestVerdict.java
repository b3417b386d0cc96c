package dev.recorder.operate.diagnosis;

import dev.recorder.operate.diagnosis.HostRole.Actual;
import dev.recorder.operate.site.Facts;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Why a machine does not work on a recorder's requests, and who does. Pure. */
record RequestVerdict(Facts facts, HostRole hostRole) {

  /** Empty if all is as it should be, if the recorder is paused, and for a log. */
  Optional<String> inTheWay() {
    if (hostRole.recorder().isLog()) {
      return Optional.empty();
    } else if (hostRole.actual() == Actual.WORKS) {
      return others().allMatch(other -> other.actual() == Actual.WORKS)
          ? Optional.empty()
          : Optional.of(
              "%s works on requests of %s, as every host does that is able to"
                  .formatted(hostRole.host().name(), hostRole.recorder().name()));
    }
    return Optional.ofNullable(
            switch (hostRole.actual()) {
              case REFUSED -> "it is refused there" + hostRole.orInItsLog();
              case NOT_ABLE -> "it is not able to" + hostRole.orInItsLog();
              case SILENT -> "it is silent, frozen or cut off";
              case GONE -> "it is gone: stopped, frozen or cut off";
              case ACTIVE, PAUSED, STUCK, STANDBY, WORKS -> null;
            })
        .map(
            why ->
                "%s works on no requests of %s: %s; %s"
                    .formatted(hostRole.host().name(), hostRole.recorder().name(), why, whoDoes()));
  }

  /** All that are alive and have it, except this one. */
  private Stream<HostRole> others() {
    return HostRole.others(facts, hostRole.recorder(), hostRole.host());
  }

  private String whoDoes() {
    if (hostRole.recorder().paused() != null) {
      return "nobody does, as it is paused";
    }
    List<String> working =
        others()
            .filter(other -> other.actual() == Actual.WORKS)
            .map(other -> other.host().name())
            .toList();
    return working.isEmpty()
        ? "nobody does"
        : String.join(", ", working) + (working.size() > 1 ? " do" : " does");
  }
}
