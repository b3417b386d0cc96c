package dev.recorder.app.config.ini;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.value.Rule;
import dev.recorder.app.config.value.Secret;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SectionReaderTest {
  private final Findings findings = new Findings(Path.of("x.ini"));

  @Test
  void aSecretThatIsRefusedIsNotRepeated() {
    Setting<Secret> setting = new Setting<>("token", Secret.class, null, new Never<>());

    assertThat(reader("token = hunter2").optional(setting)).isNull();
    assertThat(said()).isEqualTo("x.ini:2: error: token = *** never suits; help: write nothing");
  }

  @Test
  void aLongValueIsCutShortInAFinding() {
    Setting<String> setting = new Setting<>("text", String.class, null, new Never<>());

    assertThat(reader("text = " + "x".repeat(500)).optional(setting)).isNull();
    assertThat(said()).contains("text = " + "x".repeat(80) + "… never suits");
  }

  private SectionReader reader(String line) {
    IniDocument document = IniScanner.scan("[s]\n" + line + "\n", List.of(), findings);
    return new SectionReader(document, new IniView(document), "s", findings);
  }

  private String said() {
    return findings.inOrder().get(0).toString();
  }

  private record Never<T>() implements Rule<T> {
    @Override
    public String fault(T value) {
      return "never suits";
    }

    @Override
    public String allowed() {
      return "nothing";
    }
  }
}
