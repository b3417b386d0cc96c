package dev.recorder.operate.diagnosis;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
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
              "%s processes requests of %s, as every able host does"
                  .formatted(hostRole.host().name(), hostRole.recorder().name()));
    }
    return Optional.ofNullable(
            switch (hostRole.actual()) {
              case REFUSED -> "it is refused there" + stated(About.REFUSED);
              case NOT_ABLE -> "it is not able to" + stated(About.UNABLE);
              case SILENT -> "it is silent, frozen or cut off";
              case GONE -> "it is gone: stopped, frozen or cut off";
              case ACTIVE, PAUSED, STUCK, STANDBY, WORKS -> null;
            })
        .map(
            why ->
                "%s processes no requests of %s: %s; %s"
                    .formatted(hostRole.host().name(), hostRole.recorder().name(), why, whoDoes()));
  }

  /** All that are alive and have it, except this one. */
  private Stream<HostRole> others() {
    return facts.living().stream()
        .filter(host -> !host.equals(hostRole.host()) && host.has(hostRole.recorder()))
        .map(host -> HostRole.of(facts, hostRole.recorder(), host));
  }

  private String stated(About about) {
    Optional<Condition> condition = hostRole.host().condition(hostRole.recorder().name(), about);
    return condition.map(c -> ": " + c.why()).orElse(", its log has the reason");
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
