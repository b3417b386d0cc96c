package dev.recorder.app.cli.status;

import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.operate.Facts;
import dev.recorder.operate.Note;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** A site as {@code recorder status} shows it. */
public final class RenderedStatus {
  private RenderedStatus() {}

  public static String text(Facts facts, List<Note> notes) {
    StringWriter text = new StringWriter();
    new StatusView(facts, notes).print(new PrintWriter(text, true));
    return text.toString();
  }

  public static String json(Facts facts, List<Note> notes) {
    StringWriter text = new StringWriter();
    OutputOption.printJson(new PrintWriter(text, true), StatusJson.of(facts, notes));
    return text.toString();
  }

  /** Of {@code --check}. */
  public static String check(Facts facts, List<Note> notes) {
    return String.join("\n", StatusCheck.lines(facts, notes))
        + "\nexit code "
        + StatusCheck.exitCode(notes);
  }
}
