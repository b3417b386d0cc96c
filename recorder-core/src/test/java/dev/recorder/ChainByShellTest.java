package dev.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotContentBuilder;
import dev.recorder.testing.Origins;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The check of a log's chain by a shell, as it stands in docs/tables.md, on objects in a folder.
 */
class ChainByShellTest {
  private static final Path PAGE = Path.of("..", "docs", "tables.md");
  private static final Pattern CHECK = Pattern.compile("(?s)```sh\n(chain=.*?)```");
  private static final UUID LOG = new UUID(7, 8);

  @TempDir private Path folder;

  @Test
  void provesObjectsAsTheyAreByDefault() throws Exception {
    proves(Compression.GZIP, "zcat");
  }

  @Test
  void provesObjectsThatAreNotPacked() throws Exception {
    proves(Compression.NONE, "cat");
  }

  @Test
  void provesObjectsThatAreZstd() throws Exception {
    assumeTrue(run("zstd --version", Map.of()).startsWith("*"), "zstd is installed");

    proves(Compression.ZSTD, "zstd -dcq");
  }

  private void proves(Compression compression, String unpack) throws Exception {
    assertThat(Files.readString(PAGE)).contains('`' + unpack + '`');
    LogLayout layout = new LogLayout("", "bucket", "p", new RecorderName("orders"), compression);
    LogChain chain = LogChain.of(LOG);
    for (long slot = 1; slot <= 12; slot++) {
      SlotContent content = content(slot, compression);
      String key = layout.slotKey(slot);
      Files.write(folder.resolve(key.substring(key.lastIndexOf('/') + 1)), content.body());
      chain = chain.then(content.sha256());
    }
    Map<String, String> known = Map.of("log", LOG.toString(), "expected", chain.hash());

    assertThat(run(check(unpack), known)).isEqualTo("nothing was changed\n");
    assertThat(run(check(unpack), Map.of("log", "another", "expected", chain.hash()))).isEmpty();
    try (var objects = Files.list(folder)) {
      Files.delete(objects.sorted().skip(5).findFirst().orElseThrow());
    }
    assertThat(run(check(unpack), known)).isEmpty();
  }

  private static String check(String unpack) throws IOException {
    Matcher check = CHECK.matcher(Files.readString(PAGE));
    assertThat(check.find()).isTrue();
    return check.group(1).replace("zcat", unpack);
  }

  private String run(String script, Map<String, String> variables) throws Exception {
    ProcessBuilder bash = new ProcessBuilder("bash", "-c", script).directory(folder.toFile());
    bash.environment().putAll(variables);
    Process process = bash.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  private static SlotContent content(long slot, Compression compression) {
    SlotContentBuilder content = new SlotContentBuilder(Rotation.DEFAULT, compression);
    content.offer(new HandoffRow(slot, 60, 0, null, "{}"));
    Window window = new Window(Snapshot.parse("50:50:"), Snapshot.parse("99:99:"), true);
    return content.build(slot, Origins.of("session"), Origins.READ_AT, window);
  }
}
