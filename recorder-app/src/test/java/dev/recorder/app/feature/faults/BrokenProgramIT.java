package dev.recorder.app.feature.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.feature.Story;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Hosts whose program is not whole, as when jars were replaced while it ran. */
@Timeout(600)
class BrokenProgramIT {
  private static final Duration WITHIN = Duration.ofMinutes(3);

  @RegisterExtension private final Story story = new Story();

  @Test
  void aHostThatLacksAClassOnAStoreLaneOrOnAThreadOfItsOwnEndsAndTheOtherTakesOver()
      throws Exception {
    Host a = story.cluster().host("host-a", true, lacking("slotlog/Event$PutCreated"));
    Host b = story.cluster().host("host-b", false, lacking("app/config/Reload"));
    a.start();
    story.observer().await("first term", WITHIN, state -> "host-a".equals(state.holder()));
    b.start();
    story.observer().awaitReady(b, WITHIN);
    story.insertRows();

    assertThat(a.awaitExit(WITHIN)).isEqualTo(70);

    story.observer().awaitWorking(b, WITHIN);
    // By the thread that fell over it, or by the machine that it has told: who comes first.
    assertThat(a.log().get(a.log().size() - 1))
        .startsWith("recorder: run has ended with exit code 70: ")
        .contains("java.lang.NoClassDefFoundError");
    story.assertReasons("start", "died");

    b.hangUp();

    assertThat(b.awaitExit(WITHIN)).isEqualTo(70);
  }

  /**
   * A JVM that finds a class of the product where nothing else of the product is available: it
   * cannot be linked, as if what it needs were gone.
   */
  private Particulars lacking(String name) throws IOException {
    Path folder = story.cluster().file("lacking-" + name.replace('/', '-'));
    Path alone = folder.resolve("dev/recorder/" + name + ".class");
    Files.createDirectories(alone.getParent());
    try (InputStream original =
        BrokenProgramIT.class.getResourceAsStream("/dev/recorder/" + name + ".class")) {
      Files.copy(original, alone);
    }
    return Particulars.STEADY.withJvm("-Xbootclasspath/a:" + folder);
  }
}
