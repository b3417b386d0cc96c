package dev.recorder.app.cli.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.cli.Run;
import dev.recorder.app.cli.TestSite;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code reload} makes of what becomes of an order, beside a machine that takes none. Answers
 * are put into the table by its defaults.
 */
class ReloadCommandIT {
  private static final String UNCHANGED = "{\"recorder\": \"orders\", \"change\": \"unchanged\"}";

  @TempDir private static Path folder;
  private static TestSite site;

  @BeforeAll
  static void startAMachine() throws Exception {
    site = TestSite.create(folder);
    site.start();
  }

  @AfterAll
  static void close() throws Exception {
    site.close();
  }

  @AfterEach
  void forget() throws Exception {
    site.execute(
        "ALTER TABLE recorder.operator_orders ALTER state SET DEFAULT 'new', ALTER answer DROP DEFAULT",
        "DELETE FROM recorder.operator_orders");
  }

  @Test
  void anOrderThatNobodyTakesIsWithdrawn() throws Exception {
    String before = Files.readString(site.ini());

    assertWithdrawn();
    assertThat(Files.readString(site.ini())).isEqualTo(before);
  }

  private void assertWithdrawn() throws Exception {
    site.run("reload", "--wait", "1")
        .exits(75)
        .printsNothing()
        .saysOnly(
            "recorder: nothing was done: host host-a did not take the order to reload within 1 s, and"
                + " the order is withdrawn\n");
    assertThat(site.ask("SELECT state FROM recorder.operator_orders ORDER BY id DESC LIMIT 1"))
        .isEqualTo("withdrawn");
  }

  @Test
  void anOrderThatIsTakenAndNotAnsweredIsStillUnderWay() throws Exception {
    answer("taken", "null");

    site.run("reload", "--wait", "1")
        .exits(75)
        .printsNothing()
        .saysFirst("recorder: host host-a has taken order ")
        .says("it is still under way")
        .inOneLine();
  }

  @Test
  void anOrderThatSomebodyElseWithdrewWasNotDone() throws Exception {
    answer("withdrawn", "null");

    site.run("reload").exits(75).says("was withdrawn: nothing was done").inOneLine();
  }

  @Test
  void anAnswerIsPrintedWithWhatNeedsARestart() throws Exception {
    answer("done", said("true", "\"[s3] bucket = b, it stays c\"", UNCHANGED));

    Run people = site.run("reload").exits(0).saysNothing();
    assertThat(people.out().lines())
        .containsExactly(
            "RECORDER  IS         NOW",
            "orders    unchanged  host-a is active",
            "needs a restart: [s3] bucket = b, it stays c");

    JsonNode program = site.run("reload", "-o", "json").exits(0).saysNothing().json();
    assertThat(Run.names(program))
        .isEqualTo("machine file dry_run applied errors needs_restart recorders schema_version");
    assertThat(program.get("dry_run").booleanValue()).isFalse();
    assertThat(program.get("recorders").get(0).toString())
        .isEqualTo(
            "{\"recorder\":\"orders\",\"change\":\"unchanged\",\"settled\":true,"
                + "\"now\":\"host-a is active\"}");
  }

  @Test
  void whatDoesNotComeAboutInTimeIsStillUnderWay() throws Exception {
    answer("done", said("true", "", "{\"recorder\": \"second\", \"change\": \"started\"}"));

    site.run("reload", "--wait", "1")
        .exits(75)
        .printsLike("second +started +host-a has yet to prepare it")
        .saysOnly(
            "recorder: host-a has read its file again, and not all of it has come about yet: what"
                + " has not is still under way\n");
  }

  @Test
  void theErrorsOfAFileAreNamedAndNothingElse() throws Exception {
    answer(
        "done",
        "{\"file\": \"f\", \"applied\": false, \"errors\": [\"f:3: error: no\", \"f:4: error:"
            + " \\u001b[2J\"]}");

    for (String command : new String[] {"reload", "reload --dry-run"}) {
      site.run(command.split(" "))
          .exits(78)
          .printsNothing()
          .saysOnly(
              """
              f:3: error: no
              f:4: error: \\u001b[2J
              recorder: host-a uses nothing of the file, and continues as before
              """);
    }
    assertThat(site.run("reload", "-o", "json").exits(78).json().get("errors")).hasSize(2);
  }

  @Test
  void anAnswerThatIsNoneIsAFault() throws Exception {
    answer("done", "[1, 2]");

    site.run("reload")
        .exits(1)
        .says("an answer to the order to reload ", "does not understand")
        .inOneLine();
  }

  @Test
  void anAnswerThatAHostCouldNotCarryItOutIsSaid() throws Exception {
    answer("done", "{\"error\": \"bug: no\"}");

    site.run("reload").exits(75).says("host host-a, asked to reload: bug: no").inOneLine();
  }

  @Test
  void aMachineThatNeverRanIsNotAsked() throws Exception {
    Path other = site.write("other.ini", site.text().replace("name = host-a", "name = host-x"));

    Run.command(other, "reload").exits(75).says("no host 'host-x' has ever run").inOneLine();
  }

  private static String said(String applied, String needsRestart, String recorder) {
    return "{\"file\": \"f\", \"applied\": %s, \"needs_restart\": [%s], \"recorders\": [%s]}"
        .formatted(applied, needsRestart, recorder);
  }

  private static void answer(String state, String json) throws Exception {
    site.execute(
        "ALTER TABLE recorder.operator_orders ALTER state SET DEFAULT '%s', ALTER answer SET DEFAULT '%s'"
            .formatted(state, json));
  }
}
