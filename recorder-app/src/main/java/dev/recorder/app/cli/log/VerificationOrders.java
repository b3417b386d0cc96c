package dev.recorder.app.cli.log;

import dev.recorder.app.cli.command.CallingUser;
import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.orders.Verdicts;
import dev.recorder.operate.site.RecorderStatus;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Asks hosts to verify logs, instead of verifying them here. */
final class VerificationOrders {
  private VerificationOrders() {}

  /** Returns the recorders with {@code verify_every}. */
  static List<RecorderSection> scheduled(RecorderConfig config) {
    return config.recorders().stream()
        .filter(each -> each.orNull(RecorderSectionKeys.VERIFY_EVERY) != null)
        .toList();
  }

  /**
   * Asks a host to verify the log of each section.
   *
   * @param asked called after each order that was accepted
   * @throws CommandFailure if there is no section, or at the first recorder that no host would
   *     verify
   */
  static void of(RecorderConfig config, List<RecorderSection> sections, Consumer<String> asked)
      throws CommandFailure {
    if (sections.isEmpty()) {
      throw CommandFailure.usage("no recorder of the file has verify_every");
    }
    try (Inspection database = CommandResources.connect(config)) {
      Verdicts verdicts = database.verdicts();
      for (RecorderSection section : sections) {
        RecorderName name = new RecorderName(section.name());
        if (!verdicts.isScheduled(name)) {
          throw new CommandFailure(
              ExitCode.TRY_LATER,
              section.name()
                  + " is not verified on a schedule by any host: its active host needs"
                  + " verify_every; one that has become active says within a minute that it has"
                  + " it");
        }
        requireHolder(database, name, config);
        verdicts.askForWhole(name, CallingUser.stated());
        asked.accept(section.name());
      }
    }
  }

  /** Fails if no living host is active: the order would wait until one is. */
  private static void requireHolder(Inspection database, RecorderName name, RecorderConfig config)
      throws CommandFailure {
    String holder =
        database.recorders(0).stream()
            .filter(status -> status.name().equals(name.value()))
            .map(RecorderStatus::holder)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
    boolean alive =
        database.machines(config.timing().takeoverAfter()).stream()
            .anyMatch(machine -> machine.alive() && machine.name().equals(holder));
    if (!alive) {
      throw CommandFailure.tryLater(
          "%s: no host would verify it, as %s; nothing was asked: start a host, or wait for the takeover, as 'recorder status' shows it, and ask again"
              .formatted(
                  name,
                  holder == null
                      ? "no host is active for it"
                      : "host " + holder + ", which has it, is not alive"));
    }
  }
}
