package dev.recorder.app.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.OwnSite;
import dev.recorder.app.cli.command.ExitCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables that the file has captured, as an administrator sets them up. */
@OwnSite.MachineStopped
class CapturesOfFileIT extends OwnSite {
  @BeforeEach
  void makeTables() throws Exception {
    site.execute("CREATE TABLE public.account (id int PRIMARY KEY, name text)");
  }

  private void configure(String capture, String sections) throws Exception {
    site.configure(site.text().replace("lockid = 1\n", "lockid = 1\n" + capture + "\n") + sections);
  }

  @Test
  void theSchemaOfAFileThatIsAskedOnlineSetsThemUpAndThenLeavesThemAlone() throws Exception {
    configure("capture = account", "[capture:orders/account]\nwhen = id > 1\n");
    assertThat(site.run("schema").exits(0).out())
        .contains("-- 'recorder schema --online', too")
        .doesNotContain("00_recorder_");

    checkOnline()
        .printsLike("ok +captures of orders +warning: not captured as this file says: public.acc");
    site.run("capture", "check")
        .printsLike("orders +public.account +yes +the file lists it, but it is not captured")
        .prints("'recorder schema --online'")
        .exits(ExitCode.FAULTS);
    String script = site.run("schema", "--online").saysNothing().exits(0).out();
    site.database.execute(script);
    site.database.execute(script);

    site.database.execute("INSERT INTO public.account VALUES (1, 'out'), (2, 'in')");
    assertThat(
            site.ask(
                "SELECT string_agg(payload->'after'->>'name', ',') FROM handoff.orders"
                    + " WHERE payload->>'op' = 'insert'"))
        .isEqualTo("in");
    assertThat(site.run("schema", "--online").exits(0).out())
        .contains("captures public.account, as the file says, and is captured so already")
        .doesNotContain("00_recorder_");
    site.run("capture", "check").exits(0);
    checkOnline().printsLike("ok +captures of orders +all tables of this file, as it says");

    configure("capture = account", "[capture:orders/account]\nwhen = id > 0\n");
    site.run("capture", "check")
        .printsLike("orders +public.account +no +the file lists it, but it is captured otherwise")
        .exits(0);
  }

  @Test
  void aTableThatCannotBeCapturedIsToldWithItsPlaceInTheFile() throws Exception {
    configure("capture = accounts", "");

    site.run("schema", "--online")
        .says("changed.ini:15: ", "there is no table public.accounts")
        .exits(ExitCode.USAGE)
        .inOneLine();
  }
}
