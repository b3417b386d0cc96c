package dev.recorder.app.cli.lock;

import dev.recorder.app.cli.Run;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can be said of a call before there is a database. */
class LockCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "run -- true | which lock? give --name NAME",
        "run --name x | Missing required parameter: 'COMMAND'",
        "run --name x --lockid 3 -- true | give --name or --lockid, not both",
        "run --lockid 0 -- true | --lockid takes 1 to 998",
        "run --kind mutex --lockid 3 -- true | --lockid is only for --kind advisory",
        "run --name x --queue q -- true | --queue is only for --kind mutex and timeout",
        "run --kind redis --name x --queue q -- true | --queue is only for --kind mutex",
        "run --kind nothing --name x -- true | Invalid value for option '--kind'",
        "run --name x --wait 10 -- true | Invalid value for option '--wait': '10' is not a duration",
        "show | which lock? give --name NAME",
        "release --kind timeout --lockid 1 | --lockid is only for --kind advisory",
        "list --limit 0 | --limit must be from 1 to 100000"
      })
  void aCallThatMakesNoSenseIsRefusedAndTheRemedyNamed(String words, String said) {
    Run.command(("lock " + words).split(" ")).exits(2).saysFirst(said);
  }

  @Test
  void withoutASubcommandTheirNamesAreShown() {
    Run.command("lock").exits(2).says("Missing command", "run", "list", "show", "release");
  }

  @Test
  void optionsInPlaceOfASubcommandShowTheirNames() {
    Run.command("lock", "-c", "a.ini")
        .exits(2)
        .says("Unknown options: '-c', 'a.ini'", "one of run, list, show, release");
  }
}
