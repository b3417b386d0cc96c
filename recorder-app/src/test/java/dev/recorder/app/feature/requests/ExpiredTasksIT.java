package dev.recorder.app.feature.requests;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.feature.Story;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Product.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A host that looks for tasks whose owners died. */
@Timeout(900)
class ExpiredTasksIT {
  @RegisterExtension private final Story story = new Story();

  @Test
  void aTaskWhoseOwnerDiedTimesOutWithoutAnybodyElsesDoing() throws Exception {
    Host host = story.cluster().host("host-a", true);
    host.edit("name = host-a", "name = host-a\ntask_timeouts = 1s");
    story.begin(host);
    assertThat(run("add", "parcel").exitCode()).isZero();
    assertThat(run("capture", "--timeout", "1s").output()).contains("parcel");

    await().untilAsserted(() -> assertThat(run("list").output()).contains("timed_out"));
    host.awaitLog("tasks timed out, whose owners died or took too long: 1", A_MINUTE);
    story.end();
  }

  private Outcome run(String command, String... words) throws InterruptedException {
    String[] line = new String[words.length + 2];
    line[0] = "tasks";
    line[1] = command;
    System.arraycopy(words, 0, line, 2, words.length);
    return story.cluster().run(line);
  }
}
