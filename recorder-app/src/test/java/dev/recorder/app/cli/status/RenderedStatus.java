package dev.recorder.app.cli.status;

import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.operate.diagnosis.Diagnosis;
import java.io.PrintWriter;
import java.io.StringWriter;

/** A site as {@code recorder status} shows it. */
public final class RenderedStatus {
  private RenderedStatus() {}

  public static String text(Diagnosis site) {
    StringWriter text = new StringWriter();
    new StatusView(site).print(new PrintWriter(text, true));
    return text.toString();
  }

  public static String json(Diagnosis site) {
    StringWriter text = new StringWriter();
    OutputOption.printJson(new PrintWriter(text, true), StatusJson.of(site));
    return text.toString();
  }

  /** Of {@code --check}. */
  public static String check(Diagnosis site) {
    return String.join("\n", StatusCheck.lines(site))
        + "\nexit code "
        + StatusCheck.exitCode(site.notes());
  }
}
