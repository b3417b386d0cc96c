package dev.recorder.app.cli.host;

import dev.recorder.app.cli.host.ReloadEffects.RecorderReloadEffect;
import dev.recorder.app.config.RecorderChange;
import dev.recorder.app.config.RecorderChange.ChangeKind;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.diagnosis.DrainProgress;
import dev.recorder.operate.diagnosis.SwitchoverPlan;
import dev.recorder.operate.site.RecorderFacts;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is told of operators' orders at a site, if they are given now. */
public final class RenderedOrders {
  private RenderedOrders() {}

  public static String text(Diagnosis site, RecorderFacts recorder) {
    PauseConsequence effect = PauseConsequence.of(site, recorder);
    Stream<String> pauses =
        Stream.of("pause: " + effect.whilePaused(), "resume: " + effect.goesOn());
    Stream<String> switchovers =
        Stream.of("a", "b", "c").map(to -> "switchover to " + to + ": " + plan(site, recorder, to));
    Stream<String> drains =
        Stream.of("a", "b").map(host -> "drain " + host + ": " + drain(site, host));
    Stream<String> reloads =
        Stream.of(ChangeKind.values()).map(kind -> "reload of a, " + effect(site, kind));
    return Stream.of(pauses, switchovers, drains, reloads)
        .flatMap(each -> each)
        .collect(Collectors.joining("\n"));
  }

  private static String plan(Diagnosis site, RecorderFacts recorder, String to) {
    SwitchoverPlan plan = SwitchoverPlan.of(site, recorder, to);
    return plan.forecast() + ", " + plan.why();
  }

  private static String drain(Diagnosis site, String host) {
    DrainProgress progress = DrainProgress.of(site, host, List.of("orders"));
    return "moving " + progress.moving() + ", kept " + progress.kept();
  }

  private static String effect(Diagnosis site, ChangeKind kind) {
    RecorderReloadEffect effect =
        new ReloadEffects("a", Set.of("orders"), site)
            .of(List.of(new RecorderChange("orders", kind)))
            .get(0);
    return "%s: %s%s, %s"
        .formatted(
            effect.word(),
            effect.settled() ? "over" : "waits",
            effect.faulty() ? ", faulty" : "",
            effect.now());
  }
}
