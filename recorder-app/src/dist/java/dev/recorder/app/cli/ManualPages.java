package dev.recorder.app.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes the sources of the manual pages and the completion script, for the distribution. */
public final class ManualPages {
  private ManualPages() {}

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    CommandLine root = RecorderCommand.withAllCommands(OutputStream.nullOutputStream());
    int failed =
        ManPageGenerator.generateManPage(
            folder.resolve("adoc").toFile(), null, new boolean[0], true, root.getCommandSpec());
    if (failed != 0) {
      throw new IllegalStateException("no manual pages");
    }
    Path completion = Files.createDirectories(folder.resolve("completion"));
    File bash = completion.resolve("recorder").toFile();
    AutoComplete.bash("recorder", bash, null, root);
  }
}
