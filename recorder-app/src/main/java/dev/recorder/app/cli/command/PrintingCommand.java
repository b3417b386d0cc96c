package dev.recorder.app.cli.command;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that prints to standard output and standard error. */
public abstract class PrintingCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  protected final CommandSpec spec() {
    return spec;
  }

  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Prints a line on standard error and flushes it. */
  protected final void warn(String line) {
    err().println(line);
    err().flush();
  }

  /** Returns a failure whose message refers the user to the command's help. */
  protected final ParameterException misuse(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
