package dev.recorder.testing.servers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstalledTest {
  @TempDir private Path folder;

  @Test
  void whoAsksForAProgramWaitsForWhatIsBeingInstalled() throws Exception {
    Path file = Files.createFile(folder.resolve("being-installed"));
    CompletableFuture<Void> asked =
        CompletableFuture.runAsync(() -> Installed.awaitEnd(file, Patience.A_MINUTE));
    assertThat(asked).isNotDone();

    Files.delete(file);

    assertThat(asked).succeedsWithin(Patience.A_MINUTE);
  }

  @Test
  void whatIsNeverDoneIsNotWaitedForWithoutEnd() throws Exception {
    Path file = Files.createFile(folder.resolve("being-installed"));

    Installed.awaitEnd(file, Duration.ofMillis(100));

    assertThat(file).exists();
  }
}
