package dev.recorder.app.cli;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.ElectionWord;
import dev.recorder.app.config.FailbackWord;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RecorderSection;
import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.MachineStatus;
import dev.recorder.operate.RecorderStatus;
import dev.recorder.operate.Takeover;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Moves a recorder once, without a change of any file. It only wishes: the active machine hands
 * over in good order, or nothing happens and the wish is taken back.
 */
@Command(
    name = "switchover",
    description = {
      "Move a recorder to another machine now, gracefully.",
      "For a lasting move change primary in the files and send SIGHUP.",
      "A recorder with election = redis is refused: its key decides who is active."
    },
    mixinStandardHelpOptions = true)
final class SwitchoverCommand implements Callable<Integer> {
  private static final Duration POLL = Duration.ofMillis(50);

  /** As old as a heartbeat may be; hosts may be busy. */
  private static final Duration FRESH = Duration.ofSeconds(3);

  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;

  @Parameters(paramLabel = "NAME", description = "The recorder.")
  private String name;

  @Option(
      names = "--to",
      paramLabel = "MACHINE",
      required = true,
      description = "The machine that is to be active; it must be alive and able.")
  private String to = "";

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How long the active machine may take; default ${DEFAULT-VALUE}.")
  private int seconds;

  @Override
  public Integer call() throws ConfigException, CommandFailure, InterruptedException {
    if (seconds < 1 || seconds > LONGEST_WAIT.toSeconds()) {
      throw new ParameterException(
          spec.commandLine(), "--wait must be from 1 to " + LONGEST_WAIT.toSeconds());
    }
    RecorderConfig loaded = config.load();
    RecorderSection section = CommandResources.section(loaded, name);
    requireWishes(section);
    try (CommandResources site = CommandResources.open(loaded)) {
      Inspection database = site.database();
      RecorderStatus before = status(database);
      requireAble(database, section);
      if (to.equals(before.holder())) {
        say("recorder " + name + " is active on " + to + " already");
      } else if (before.holder() == null) {
        throw CommandFailure.tryLater(
            "no machine is active for recorder " + name + " that could hand over");
      } else {
        move(database, before);
        say(sentence(database));
        warnIfItGoesBack(database, section);
      }
    }
    return ExitCode.OK;
  }

  /** Where a key elects, nobody but who has it is able, and a wish for another waits in vain. */
  private static void requireWishes(RecorderSection section) throws CommandFailure {
    if (section.leading().election() == ElectionWord.REDIS) {
      throw CommandFailure.usage(
          "recorder '%s' has election = redis: whoever has its key is active, and neither primary"
                  .formatted(section.name())
              + " nor a switchover changes that; to move it, stop the instance that is active, as"
              + " 'recorder status' shows it, until another is");
    }
  }

  private void move(Inspection database, RecorderStatus before)
      throws CommandFailure, InterruptedException {
    RecorderName recorder = new RecorderName(name);
    Ticker ticker = Ticker.system();
    long deadline = ticker.nanos() + Duration.ofSeconds(seconds).toNanos();
    database.wishFor(recorder, to);
    try {
      while (ticker.nanos() - deadline < 0) {
        RecorderStatus now = status(database);
        if (to.equals(now.holder()) && now.epoch() > before.epoch()) {
          return;
        }
        Pause.sleep(POLL);
      }
    } finally {
      database.wishNoMore(recorder, to);
    }
    throw CommandFailure.tryLater(
        "%s did not hand recorder %s over to %s within %s s, and is not asked any longer; its log says what it is doing"
            .formatted(before.holder(), name, to, seconds));
  }

  private RecorderStatus status(Inspection database) throws CommandFailure {
    return database.recorders(0).stream()
        .filter(recorder -> recorder.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> CommandFailure.tryLater("no machine has run recorder '" + name + "' yet"));
  }

  private void requireAble(Inspection database, RecorderSection section) throws CommandFailure {
    MachineStatus machine =
        database.machines(FRESH).stream()
            .filter(known -> known.name().equals(to))
            .findFirst()
            .orElseThrow(
                () ->
                    CommandFailure.usage(
                        "no machine '%s' has ever run here; 'recorder status' lists them"
                            .formatted(to)));
    int lockId = section.lockId();
    if (!machine.alive()) {
      throw CommandFailure.tryLater("machine " + to + " is not alive");
    }
    if (!machine.able().contains(lockId) && !machine.active().contains(lockId)) {
      throw CommandFailure.tryLater(
          "machine %s is not able to take recorder %s; its log says why".formatted(to, name));
    }
  }

  private String sentence(Inspection database) {
    Takeover receipt = database.takeovers(Optional.of(new RecorderName(name)), 1).get(0);
    return "recorder %s: %s -> %s, epoch %d -> %d, gap %s ms"
        .formatted(
            name,
            receipt.from(),
            receipt.to(),
            receipt.fromEpoch(),
            receipt.toEpoch(),
            receipt.gapMillis());
  }

  private void warnIfItGoesBack(Inspection database, RecorderSection section) {
    boolean goesBack =
        section.leading().failback() == FailbackWord.AUTO
            && database.machines(FRESH).stream()
                .filter(machine -> !machine.name().equals(to))
                .anyMatch(
                    machine -> machine.alive() && machine.primaryFor().contains(section.lockId()));
    if (goesBack) {
      say(
          "failback = auto: it goes back to its primary after failback_after; for a lasting move"
              + " change primary in the files and send SIGHUP");
    }
  }

  private void say(String sentence) {
    spec.commandLine().getOut().println(sentence);
  }
}
