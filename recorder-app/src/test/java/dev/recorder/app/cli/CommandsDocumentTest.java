package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.docs.Documents;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What scripts rely on is in docs/commands.md: exit codes and commands. */
class CommandsDocumentTest {
  @Test
  void theTableHasEveryExitCode() throws IllegalAccessException {
    List<String> codes = new ArrayList<>();
    for (Field field : ExitCode.class.getDeclaredFields()) {
      if (field.getType() == int.class) {
        codes.add("`" + field.get(null) + "`");
      }
    }

    assertThat(codes).hasSizeGreaterThan(5);
    assertThat(firstColumn("## Exit codes")).containsExactlyInAnyOrderElementsOf(codes);
  }

  @Test
  void theTableHasEveryCommand() {
    assertThat(firstColumn("# Commands").stream().map(CommandsDocumentTest::command))
        .containsAll(
            RecorderCommand.withAllCommands(OutputStream.nullOutputStream())
                .getSubcommands()
                .keySet());
  }

  private static List<String> firstColumn(String heading) {
    return Documents.tableBehind(heading, Documents.text("docs/commands.md")).stream()
        .map(row -> row.get(0))
        .toList();
  }

  private static String command(String synopsis) {
    return synopsis.replaceFirst("`([a-z]+).*", "$1");
  }
}
