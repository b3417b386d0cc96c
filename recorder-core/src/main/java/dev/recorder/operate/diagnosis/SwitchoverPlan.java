package dev.recorder.operate.diagnosis;

import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.RecorderFacts;
import java.util.Optional;

/**
 * The expected result of an order to hand over a recorder. Pure; the order and a dry run use the
 * same plan.
 *
 * @param why the reason, one sentence
 */
public record SwitchoverPlan(Forecast forecast, String why) {
  /** The expected result. */
  public enum Forecast {
    GOES,
    IS_THERE,
    REFUSED,
    /** Refused, since the target host is not alive. */
    NOT_ALIVE,
    NO_SUCH_MACHINE
  }

  /**
   * Plans with the present facts.
   *
   * @param to the target host
   */
  public static SwitchoverPlan of(Diagnosis site, RecorderFacts recorder, String to) {
    String name = recorder.name();
    Optional<HostFacts> target = site.facts().host(to);
    if (target.isEmpty()) {
      return new SwitchoverPlan(
          Forecast.NO_SUCH_MACHINE,
          "no host '%s' has ever run here; 'recorder status' lists them".formatted(to));
    }
    String holder = recorder.status().holder();
    boolean isAlive = target.get().isAlive();
    if (to.equals(holder)) {
      return isAlive
          ? new SwitchoverPlan(
              Forecast.IS_THERE, "recorder %s is active on %s already".formatted(name, to))
          : notAlive(
              "recorder %s is still with %s, which is not alive; a standby that is able takes it by itself"
                  .formatted(name, to));
    }
    if (!isAlive) {
      return notAlive(
          "host %s is not alive, its last heartbeat was at %s"
              .formatted(to, target.get().status().lastBeat()));
    }
    if (holder == null) {
      return refused("no host is active for recorder %s that could hand over".formatted(name));
    }
    if (!site.takers(recorder).contains(to)) {
      return refused(
          "host %s is not able to take recorder %s; 'recorder explain %s --host %s' says why"
              .formatted(to, name, name, to));
    }
    if (site.facts().host(holder).filter(HostFacts::isAlive).isEmpty()) {
      return refused(
          "host %s, which has recorder %s, is not alive and cannot hand it over; a standby that is able takes it by itself"
              .formatted(holder, name));
    }
    return new SwitchoverPlan(
        Forecast.GOES,
        "recorder %s goes from %s to %s, in term %d"
            .formatted(name, holder, to, recorder.status().epoch() + 1));
  }

  private static SwitchoverPlan refused(String why) {
    return new SwitchoverPlan(Forecast.REFUSED, why);
  }

  private static SwitchoverPlan notAlive(String why) {
    return new SwitchoverPlan(Forecast.NOT_ALIVE, why);
  }
}
