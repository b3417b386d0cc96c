package dev.recorder.app.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.cli.OwnSite;
import dev.recorder.app.cli.Run;
import dev.recorder.app.cli.command.ExitCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code recorder capture}, by a role that owns the tables and by an administrator. */
@OwnSite.MachineStopped
class CaptureCommandIT extends OwnSite {
  @BeforeEach
  void makeTables() throws Exception {
    site.execute("CREATE TABLE public.account (id int PRIMARY KEY, name text)");
  }

  private void administer(String script) throws Exception {
    site.database.execute(script);
  }

  @Test
  void onceAnAdministratorHasRunTheSchemaTheOwnerOfTheTablesCaptures() throws Exception {
    administer(site.run("schema").exits(0).out());

    site.run("capture", "add", "public.account", "--recorder", "orders")
        .saysNothing()
        .prints("recorder orders captures public.account from now on")
        .exits(0);

    site.execute("INSERT INTO account VALUES (1, 'Ann')");
    assertThat(site.ask("SELECT payload->>'op' FROM handoff.orders ORDER BY id DESC LIMIT 1"))
        .isEqualTo("insert");
    JsonNode list = site.run("capture", "list", "-o", "json").exits(0).json();
    assertThat(list.get(0).get("table").textValue()).isEqualTo("public.account");
    assertThat(list.get(0).get("old").textValue()).isEqualTo("key");
    site.run("capture", "list").printsLike("orders +public.account +key +all").exits(0);
    site.run("capture", "add", "account", "--recorder", "orders")
        .saysOnly(
            "recorder: table public.account is captured by recorder orders already: to set it up"
                + " again, or otherwise, add --again\n")
        .exits(ExitCode.USAGE);
    site.run("capture", "add", "account", "--recorder", "orders", "--old", "all", "--print")
        .says("is captured by recorder orders already", "--again")
        .prints("")
        .exits(ExitCode.USAGE);
    site.run("capture", "add", "account", "--recorder", "orders", "--old", "all", "--again")
        .exits(0);
    site.run("capture", "remove", "account", "--recorder", "orders")
        .prints("captures public.account no longer")
        .exits(0);
    site.execute("INSERT INTO account VALUES (2, 'Bob')");
    assertThat(site.ask("SELECT count(*) FROM handoff.orders WHERE payload->>'op' = 'insert'"))
        .isEqualTo("1");
    assertThat(site.run("capture", "list", "-o", "json").json()).isEmpty();
    assertThat(site.ask("SELECT count(*) FROM pg_trigger WHERE tgname LIKE '%recorder%'"))
        .isEqualTo("0");
  }

  @Test
  void whoMayNotIsToldToPrintAndWhatIsPrintedIsEnough() throws Exception {
    site.database.server().execute("DROP ROLE IF EXISTS nobody_else");
    site.database.execute("ALTER TABLE public.account OWNER TO postgres");
    String add = "capture add public.account --recorder orders --when";
    String printed = site.run(Run.words(add, "id > 1", "--print")).saysNothing().exits(0).out();

    site.run(Run.words(add, "id > 1")).says("--print").exits(ExitCode.RIGHTS).inOneLine();
    assertThat(site.ask("SELECT count(*) FROM pg_trigger WHERE tgname LIKE '%recorder%'"))
        .isEqualTo("0");

    administer(printed);
    administer(printed);
    administer("INSERT INTO public.account VALUES (1, 'out'), (2, 'in')");
    assertThat(
            site.ask(
                "SELECT string_agg(payload->'after'->>'name', ',') FROM handoff.orders"
                    + " WHERE payload->>'op' = 'insert'"))
        .isEqualTo("in");
    administer(
        site.run("capture", "remove", "public.account", "--recorder", "orders", "--print").out());
    assertThat(site.run("capture", "list", "-o", "json").json()).isEmpty();
  }

  @Test
  void rowsThatAreThereAlreadyAreHandedOverAndTheListSaysSo() throws Exception {
    administer(site.run("schema").exits(0).out());
    site.execute("INSERT INTO account SELECT i, 'name' FROM generate_series(1, 100) i");
    site.run("capture", "add", "account", "--recorder", "orders", "--snapshot", "--print")
        .says("--snapshot")
        .exits(ExitCode.USAGE);
    site.run("capture", "snapshot", "account", "--recorder", "orders")
        .says("recorder orders captures no table public.account")
        .exits(ExitCode.USAGE);

    site.run("capture", "add", "account", "--recorder", "orders", "--snapshot")
        .prints("recorder orders captures public.account from now on")
        .prints("the log of orders has a snapshot of public.account; rows read: 100")
        .exits(0);

    assertThat(site.ask("SELECT count(*) FROM handoff.orders WHERE payload->>'op' = 'snapshot'"))
        .isEqualTo("100");
    JsonNode listed = site.run("capture", "list", "-o", "json").exits(0).json().get(0);
    assertThat(listed.get("snapshot").get("percent").intValue()).isEqualTo(100);
    assertThat(listed.get("snapshot").get("ended").isTextual()).isTrue();
    site.execute("INSERT INTO account VALUES (101, 'more')");
    JsonNode again =
        site.run("capture", "snapshot", "account", "--recorder", "orders", "-o", "json")
            .exits(0)
            .json();
    assertThat(again.get("rows").longValue()).isEqualTo(101);
    site.run("capture", "remove", "account", "--recorder", "orders").exits(0);
    assertThat(site.ask("SELECT count(*) FROM recorder.snapshots")).isEqualTo("0");
  }

  @Test
  void aRecorderThatIsNoneOrNoLogIsRefused() throws Exception {
    site.configure(site.text() + "[recorder:docs]\nlockid = 3\nkind = requests\n");
    site.run("capture", "add", "public.account", "--recorder", "order")
        .saysOnly("recorder: no recorder 'order'; did you mean 'orders'?\n")
        .exits(ExitCode.USAGE);
    site.run("capture", "add", "public.account", "--recorder", "docs")
        .saysOnly(
            "recorder: recorder 'docs' has kind = requests: say with --entity whose documents a row"
                + " belongs to\n")
        .exits(ExitCode.USAGE);
    site.run(Run.words("capture add public.account --recorder docs --entity", "id"))
        .saysOnly(
            "recorder: recorder 'docs' merges payloads, of which captured changes have none: give"
                + " it query = SELECT ..., which builds a document, or a handler of its own\n")
        .exits(ExitCode.USAGE);
    site.run(Run.words("capture add public.account --recorder orders --entity", "id"))
        .saysOnly(
            "recorder: recorder 'orders' has kind = log: --entity is for documents, of kind ="
                + " requests\n")
        .exits(ExitCode.USAGE);
    site.run(Run.words("capture add public.account --recorder docs --old all --entity", "id"))
        .says("--old has no meaning with --entity")
        .exits(ExitCode.USAGE);
    site.run(
            "capture",
            "add",
            "public.account",
            "--recorder",
            "orders",
            "--columns",
            "id",
            "--except",
            "name")
        .says("--columns and --except cannot both be given")
        .exits(ExitCode.USAGE);
  }

  @Test
  void aLimitOfTemporaryFilesIsSaidWhenATableIsCapturedAsCheckSaysIt() throws Exception {
    administer(site.run("schema").exits(0).out());
    administer(
        "INSERT INTO account SELECT i, repeat('x', 99) FROM generate_series(1, 9999) i;"
            + " ANALYZE account; ALTER DATABASE "
            + site.database.name()
            + " SET temp_file_limit = 2000");

    Run added = site.run("capture", "add", "account", "--recorder", "orders").exits(0);
    JsonNode found = site.run("capture", "check", "-o", "json").exits(0).json().get(0);

    added
        .prints("recorder orders captures public.account from now on")
        .says("recorder: warning: public.account: " + found.get("finding").textValue())
        .says("temp_file_limit is 2000 kB for all roles of this database")
        .inOneLine();
  }

  @Test
  void checkFindsWhatIsNotCapturedAndEndsWithOne() throws Exception {
    administer(site.run("schema").exits(0).out());
    site.execute("CREATE TABLE public.tiny (id int PRIMARY KEY)");
    site.run("capture", "add", "public.tiny", "--recorder", "orders").exits(0);
    assertThat(site.run("capture", "check", "-o", "json").exits(0).json()).isEmpty();

    site.execute("ALTER TABLE public.tiny DISABLE TRIGGER \"00_recorder_orders_delete\"");

    JsonNode found = site.run("capture", "check", "-o", "json").exits(ExitCode.FAULTS).json();
    assertThat(found).hasSize(1);
    assertThat(found.get(0).get("loses_changes").booleanValue()).isTrue();
    assertThat(found.get(0).get("finding").textValue())
        .startsWith("table public.tiny has triggers that are disabled");
  }
}
