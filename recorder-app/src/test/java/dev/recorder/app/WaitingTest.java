package dev.recorder.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.docs.Documents;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.platform.suite.api.SelectClasses;

/** What the build leaves to {@link WaitingIT} must be what that runs, or nobody runs it. */
class WaitingTest {
  private static final Pattern LEFT = Pattern.compile("<exclude>(dev/recorder/.*IT)\\.java<");

  @Test
  void eachClassThatTheBuildLeavesOutIsRunByTheSuite() {
    List<String> left =
        LEFT.matcher(Documents.text("recorder-app/pom.xml"))
            .results()
            .map(found -> found.group(1).replace('/', '.'))
            .toList();
    String[] runs = WaitingIT.class.getAnnotation(SelectClasses.class).names();

    assertThat(left).containsExactlyInAnyOrderElementsOf(Arrays.asList(runs));
  }
}
