package dev.recorder.app.cli;

import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.daemon.Daemon;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the daemon in the foreground. A service manager starts and stops it. */
@Command(mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
  @Mixin private ConfigOption config;

  @Override
  public Integer call() throws ConfigException, InterruptedException {
    new Daemon(config.load(), RecorderCommand.version()).run();
    return ExitCode.OK;
  }
}
