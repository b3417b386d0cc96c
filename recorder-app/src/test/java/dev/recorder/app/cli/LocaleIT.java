package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.TestIni;
import dev.recorder.app.harness.Product;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in a locale that has ASCII only, as in a container without {@code LANG}. */
class LocaleIT {
  @TempDir private Path folder;

  @Test
  void aNameThatTheLocaleCannotReadIsRefusedAndNoCommandIsRun() throws Exception {
    Path ini = TestIni.minimal(folder).write();
    Path ran = folder.resolve("ran");

    // Its bytes come from the shell: this JVM may have such a locale itself.
    Run run =
        run(
            "exec \"$@\" --name \"$(printf 'n\\303\\244chtlich')\" -- touch " + ran,
            "lock",
            "run",
            "-c",
            ini.toString());

    run.exits(2).says("argument 6 ", "LC_ALL=C.UTF-8").inOneLine().printsNothing();
    assertThat(Files.exists(ran)).isFalse();
  }

  @Test
  void whatIsPrintedIsUtf8() throws Exception {
    Path ini = TestIni.minimal(folder).write();
    Files.writeString(ini, Files.readString(ini) + "\n[timing]\nlease = zw\u00f6lf\n");

    Run run = run("exec \"$@\"", "check", "-o", "json", "-c", ini.toString());

    assertThat(run.out()).contains("zw\u00f6lf");
  }

  private Run run(String script, String... arguments) throws Exception {
    List<String> line = new ArrayList<>(List.of("sh", "-c", script, "sh"));
    line.addAll(Product.command(folder, List.of(arguments)).command());
    Path err = folder.resolve("err");
    ProcessBuilder builder = new ProcessBuilder(line).redirectError(err.toFile());
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), out, Files.readString(err));
  }
}
