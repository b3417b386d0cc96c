package dev.recorder.app.config.ini;

import java.io.Serial;

/** Says that a file cannot be read as text. The caller makes it a finding. */
public final class TextFileException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final int line;
  private final String what;
  private final String help;

  TextFileException(int line, String what, String help) {
    super(what, null, false, false);
    this.line = line;
    this.what = what;
    this.help = help;
  }

  public int line() {
    return line;
  }

  public String what() {
    return what;
  }

  public String help() {
    return help;
  }
}
