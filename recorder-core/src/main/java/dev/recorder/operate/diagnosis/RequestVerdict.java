package dev.recorder.operate.diagnosis;

import dev.recorder.operate.diagnosis.HostRole.Actual;
import dev.recorder.operate.site.Facts;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Why a host does not process a recorder's requests, and which hosts do. Pure. */
record RequestVerdict(Facts facts, HostRole hostRole) {

  /** Returns the obstacle; empty if there is none, if the recorder is paused, and for a log. */
  Optional<String> inTheWay() {
    if (hostRole.recorder().isLog()) {
      return Optional.empty();
    } else if (hostRole.actual() == Actual.WORKS) {
      return others().allMatch(other -> other.actual() == Actual.WORKS)
          ? Optional.empty()
          : Optional.of(
              "%s processes requests of %s, as every able host does"
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
                "%s processes no requests of %s: %s; %s"
                    .formatted(hostRole.host().name(), hostRole.recorder().name(), why, whoDoes()));
  }

  /** Returns all other living hosts that have the recorder. */
  private Stream<HostRole> others() {
    return HostRole.others(facts, hostRole.recorder(), hostRole.host());
  }

  private String whoDoes() {
    if (hostRole.recorder().paused() != null) {
      return "no host does, as it is paused";
    }
    List<String> working =
        others()
            .filter(other -> other.actual() == Actual.WORKS)
            .map(other -> other.host().name())
            .toList();
    return working.isEmpty()
        ? "no host does"
        : String.join(", ", working) + (working.size() > 1 ? " do" : " does");
  }
}
