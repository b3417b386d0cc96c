package dev.recorder.app.cli.capture;

import static dev.recorder.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.cli.OwnSite;
import dev.recorder.app.cli.Run;
import dev.recorder.app.cli.TestSite;
import dev.recorder.app.cli.command.ExitCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code recorder capture} for documents, from the tables to the bucket. */
@OwnSite.MachineStopped
class CapturedDocumentsIT extends OwnSite {
  private static final String QUERY =
      "query = SELECT a.id, a.name, (SELECT json_agg(m.text ORDER BY m.id) FROM public.mail m"
          + " WHERE m.account_id = a.id) AS mails FROM public.account a WHERE a.id = :entity";

  @Override
  protected void runOnce(TestSite machine) throws Exception {
    machine.configure(text(machine, QUERY));
    machine.runOnce();
    machine.execute(
        "CREATE TABLE public.account (id int PRIMARY KEY, name text)",
        "CREATE TABLE public.mail (id int PRIMARY KEY, account_id int, text text)");
    machine.database.execute(machine.run("schema").exits(0).out());
    machine.database.execute(
        "GRANT USAGE ON SCHEMA public TO recorder_reader",
        "GRANT SELECT ON public.account, public.mail TO recorder_reader");
  }

  @BeforeEach
  void configure() throws Exception {
    configure(QUERY);
  }

  private void configure(String query) throws Exception {
    site.configure(text(site, query));
  }

  private static String text(TestSite site, String query) {
    return site.text() + "[recorder:docs]\nlockid = 3\nkind = requests\n" + query + "\n";
  }

  private Run add(String table, String entity) {
    return site.run(Run.words("capture add " + table + " --recorder docs --entity", entity));
  }

  private String document(String id) throws Exception {
    String key = "prod/docs/" + id + ".json";
    return site.store.keys(TestSite.BUCKET, "prod/docs/").contains(key)
        ? new String(site.store.read(TestSite.BUCKET, key), UTF_8).strip()
        : "";
  }

  private void awaitRest() {
    await()
        .until(
            () ->
                site.ask("SELECT count(*) FROM handoff.docs WHERE request_status = 'new'")
                    .equals("0"));
  }

  @Test
  void changesOfTablesAreInTheDocumentAndVerifyProvesIt() throws Exception {
    add("public.account", "id")
        .prints("recorder docs captures public.account from now on")
        .exits(0);
    add("mail", "account_id").exits(0);
    site.start();
    site.execute(
        "INSERT INTO account VALUES (1, 'Ann'), (2, 'Bob')",
        "INSERT INTO mail VALUES (1, 1, 'hello')",
        "DELETE FROM account WHERE id = 2");
    awaitRest();

    assertThat(document("1")).isEqualTo("{\"id\":1,\"name\":\"Ann\",\"mails\":[\"hello\"]}");
    assertThat(document("2")).isEqualTo("{\"deleted\":true}");
    JsonNode verdict = site.run("verify", "docs", "-o", "json").exits(0).json();
    assertThat(verdict.get("slots").intValue()).isEqualTo(2);
    assertThat(verdict.get("ok").booleanValue()).isTrue();

    JsonNode list = site.run("capture", "list", "-o", "json").exits(0).json();
    assertThat(list.get(1).get("entity").textValue()).isEqualTo("account_id");
    site.run("capture", "list").printsLike("docs +public.mail .* account_id +1").exits(0);
    assertThat(site.run("capture", "check", "-o", "json").exits(0).json()).isEmpty();

    site.execute("ALTER TABLE mail DISABLE TRIGGER ALL", "UPDATE mail SET text = 'unseen'");
    site.run("verify", "docs")
        .prints("entity '1': its object is not what the query says now")
        .exits(ExitCode.FAULTS);
    site.run("capture", "check").prints("triggers that are disabled").exits(ExitCode.FAULTS);
    site.run("requests", "add", "docs", "1", "--type", "update").exits(0);
    awaitRest();
    site.run("verify", "docs").exits(0);
    assertThat(document("1")).contains("unseen");

    site.execute("ALTER TABLE mail RENAME account_id TO account");
    site.run("capture", "check")
        .prints("statements on it fail, so that nothing is lost: --entity 'account_id' is no")
        .exits(ExitCode.FAULTS);
    site.run("capture", "remove", "mail", "--recorder", "docs").exits(0);
    assertThat(site.ask("SELECT count(*) FROM pg_trigger WHERE tgname LIKE '%recorder_docs%'"))
        .isEqualTo("4");
  }

  @Test
  void whatAnAdministratorPrintsHasTheGrantsThatAreNeeded() throws Exception {
    site.database.execute(
        "ALTER TABLE public.account OWNER TO postgres",
        "REVOKE SELECT ON public.account FROM recorder_reader");
    String entity = "SELECT a.id FROM public.account a WHERE a.id = mail.account_id";

    add("mail", entity)
        .says("GRANT SELECT ON \"public\".\"account\" TO recorder_reader")
        .exits(ExitCode.RIGHTS)
        .inOneLine();
    assertThat(site.ask("SELECT count(*) FROM pg_trigger WHERE tgname LIKE '%recorder%'"))
        .isEqualTo("0");

    String printed =
        site.run(Run.words("capture add mail --recorder docs --print --entity", entity))
            .saysNothing()
            .exits(0)
            .out();
    assertThat(printed).contains("GRANT SELECT ON \"public\".\"account\" TO recorder_reader;");
    site.database.execute(printed, printed);
    site.database.execute(
        "INSERT INTO public.account VALUES (7, 'Ann')",
        "INSERT INTO public.mail VALUES (1, 7, 'hello')");
    assertThat(site.ask("SELECT string_agg(entity_id, ',') FROM handoff.docs")).isEqualTo("7");
  }

  @Test
  void checkSaysWhatTheServerHasAgainstTheQueryAndWhere() throws Exception {
    site.run("check", "--online")
        .printsLike(
            "ok +query of docs +the server can run it; warning: nothing asks for a document when"
                + " these change: public.account, public.mail")
        .exits(0);
    site.execute("CREATE VIEW public.mails AS SELECT m.*, clock_timestamp() FROM public.mail m");
    site.execute("GRANT SELECT ON public.mails TO recorder_reader");
    add("mail", "account_id").exits(0);
    configure(
        "query = SELECT ':entity', :entity::int AS id, m.* FROM public.mails m, public.account");
    site.run("check", "--online")
        .prints(
            "when these change: public.account; it may say something else each time, since it"
                + " calls clock_timestamp()")
        .exits(0);

    configure("query = SELECT nme FROM public.account WHERE id = :entity");
    site.run("check").exits(0);
    site.run("check", "--online")
        .prints("changed.ini:26: query: ERROR: column \"nme\" does not exist")
        .exits(ExitCode.CONFIGURATION);
    configure("query = SELECT name FROM account WHERE id = :entity");
    site.run("check", "--online").prints("names need their schema").exits(ExitCode.CONFIGURATION);
    configure("query = SELECT json_build_object('id', :entity)");
    site.run("check", "--online").printsLike("ok +query of docs").exits(0);
    site.database.execute("REVOKE SELECT ON public.account FROM recorder_reader");
    configure("query = SELECT name FROM public.account WHERE id = :entity");
    site.run("check", "--online")
        .prints("role recorder_reader needs SELECT on")
        .exits(ExitCode.CONFIGURATION);
    configure("query = SELECT name FROM public.account WHERE id = 7");
    site.run("check")
        .prints(
            "changed.ini:26: error: query = SELECT name FROM public.account WHERE id = 7 names no")
        .exits(ExitCode.CONFIGURATION);
  }
}
