package dev.recorder.app.cli.host;

import dev.recorder.app.cli.host.ReloadEffects.ReloadEffect;
import dev.recorder.app.config.RecorderChange;
import dev.recorder.app.config.RecorderChange.ChangeKind;
import dev.recorder.operate.diagnosis.DrainProgress;
import dev.recorder.operate.diagnosis.SwitchoverPlan;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.MachineStatus;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is told of operators' orders at a site, if they are given now. */
public final class RenderedOrders {
  private RenderedOrders() {}

  public static String text(Facts facts, RecorderFacts recorder) {
    PauseEffect effect = PauseEffect.of(facts, recorder);
    List<MachineStatus> machines = facts.hosts().stream().map(HostFacts::status).toList();
    List<RecorderStatus> recorders = facts.recorders().stream().map(RecorderFacts::status).toList();
    Stream<String> pauses =
        Stream.of("pause: " + effect.whilePaused(), "resume: " + effect.goesOn());
    Stream<String> switchovers =
        Stream.of("a", "b", "c")
            .map(to -> "switchover to " + to + ": " + plan(recorder, to, machines));
    Stream<String> drains =
        Stream.of("a", "b").map(host -> "drain " + host + ": " + drain(host, recorders, machines));
    Stream<String> reloads =
        Stream.of(ChangeKind.values()).map(kind -> "reload of a, " + effect(facts, kind));
    return Stream.of(pauses, switchovers, drains, reloads)
        .flatMap(each -> each)
        .collect(Collectors.joining("\n"));
  }

  private static String plan(RecorderFacts recorder, String to, List<MachineStatus> machines) {
    SwitchoverPlan plan = SwitchoverPlan.of(recorder.status(), to, machines);
    return plan.forecast() + ", " + plan.why();
  }

  private static String drain(
      String host, List<RecorderStatus> recorders, List<MachineStatus> machines) {
    DrainProgress progress = DrainProgress.of(host, List.of("orders"), recorders, machines);
    return "moving " + progress.moving() + ", kept " + progress.kept();
  }

  private static String effect(Facts facts, ChangeKind kind) {
    ReloadEffect effect =
        new ReloadEffects("a", Set.of("orders"), facts)
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
