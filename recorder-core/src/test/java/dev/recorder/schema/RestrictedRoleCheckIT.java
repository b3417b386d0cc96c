package dev.recorder.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the roles may, as which code of others runs, on a server of the test's own. */
class RestrictedRoleCheckIT {
  private static final String SCRIPT =
      new Schema(SchemaNames.DEFAULT).script(TestDatabase.ROLE, List.of());

  private PostgresServer server;
  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    server = PostgresServer.start();
    database = TestDatabase.createOn(server, PostgresServer.SUPERUSER);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private List<String> faults() throws SQLException {
    try (Connection connection = TestSessions.patient(database, "one").openForQueries()) {
      return new RestrictedRoleCheck(SchemaNames.DEFAULT).faults(connection);
    }
  }

  /** What follows "run" in each. */
  private static List<String> remedies(List<String> faults) {
    List<String> remedies = new ArrayList<>();
    faults.forEach(fault -> remedies.add(fault.replaceFirst(".*: run ", "")));
    return remedies;
  }

  @Test
  void thereIsNothingToSayWhereThereAreNoSuchRoles() throws Exception {
    assertThat(faults()).isEmpty();
  }

  @Test
  void norOfWhatTheScriptMakesAndWhatDocumentsAreReadFrom() throws Exception {
    database.execute(
        SCRIPT,
        "CREATE TABLE public.account (id int)",
        "CREATE SCHEMA app",
        "CREATE FUNCTION app.name() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "GRANT USAGE ON SCHEMA public, app TO recorder_reader",
        "GRANT EXECUTE ON FUNCTION app.name() TO recorder_reader",
        "GRANT SELECT ON public.account TO recorder_reader");

    assertThat(faults()).isEmpty();
  }

  /** Roles belong to all databases, and each may be connected to unless that is taken back. */
  @Test
  void hostsOfAnotherDatabaseOfTheServerAreNamedWhileTheyMayConnectToThisOne() throws Exception {
    database.execute(SCRIPT);
    TestDatabase other = TestDatabase.createOn(server, PostgresServer.SUPERUSER);
    other.execute(new Schema(SchemaNames.DEFAULT).script("other_hosts", List.of()));

    assertThat(members())
        .singleElement()
        .asString()
        .startsWith(
            "role other_hosts, which may connect to this database, may act as recorder_capture and"
                + " recorder_reader: unless it belongs to this database, run REVOKE CONNECT ON DATABASE ");
    assertThat(faults()).isEmpty();

    database.execute("REVOKE CONNECT ON DATABASE " + database.name() + " FROM PUBLIC, other_hosts");
    assertThat(members()).isEmpty();
  }

  @Test
  void administratorsAreNotNamed() throws Exception {
    server.createRole("administrator", TestDatabase.PASSWORD);
    database.execute(
        "ALTER ROLE administrator CREATEROLE",
        "GRANT CREATE ON DATABASE " + database.name() + " TO administrator",
        "SET ROLE administrator; " + SCRIPT + "; RESET ROLE");

    assertThat(members()).isEmpty();
  }

  private List<String> members() throws SQLException {
    try (Connection connection = TestSessions.patient(database, "one").openForQueries()) {
      return new RestrictedRoleCheck(SchemaNames.DEFAULT).members(connection);
    }
  }

  @Test
  void whatARoleMayBesideReadingIsTakenBackByItsRemedy() throws Exception {
    database.execute(
        SCRIPT,
        "CREATE ROLE staff",
        "CREATE TABLE public.account (id int, name text)",
        "CREATE SEQUENCE public.ids",
        "CREATE VIEW public.names AS SELECT name FROM public.account",
        "ALTER VIEW public.names OWNER TO recorder_reader",
        "ALTER ROLE recorder_reader LOGIN CREATEROLE",
        "ALTER ROLE recorder_capture SUPERUSER",
        "GRANT staff TO recorder_reader",
        "GRANT SELECT, INSERT, UPDATE (name) ON public.account TO recorder_reader",
        "GRANT USAGE ON SEQUENCE public.ids TO recorder_reader",
        "GRANT CREATE ON SCHEMA recorder TO recorder_reader",
        "GRANT CREATE ON DATABASE " + database.name() + " TO recorder_reader");

    List<String> faults = faults();

    assertThat(faults)
        .containsExactly(
            "role recorder_capture is a superuser: run ALTER ROLE recorder_capture NOSUPERUSER;",
            "role recorder_reader may log in: run ALTER ROLE recorder_reader NOLOGIN;",
            "role recorder_reader may create roles: run ALTER ROLE recorder_reader NOCREATEROLE;",
            "role recorder_reader is a member of role staff: run REVOKE staff FROM"
                + " recorder_reader;",
            "role recorder_reader owns view public.names: run ALTER VIEW public.names OWNER TO"
                + " CURRENT_USER;",
            "role recorder_reader has CREATE on schema recorder: run REVOKE CREATE ON SCHEMA"
                + " recorder FROM recorder_reader;",
            "role recorder_reader has CREATE on the database: run REVOKE CREATE ON DATABASE "
                + database.name()
                + " FROM recorder_reader;",
            "role recorder_reader has INSERT on public.account: run REVOKE INSERT ON"
                + " public.account FROM recorder_reader;",
            "role recorder_reader has UPDATE (name) on public.account: run REVOKE UPDATE (name)"
                + " ON public.account FROM recorder_reader;",
            "role recorder_reader has USAGE on public.ids: run REVOKE USAGE ON SEQUENCE"
                + " public.ids FROM recorder_reader;");
    database.execute(remedies(faults).toArray(String[]::new));
    assertThat(faults()).isEmpty();
  }

  @Test
  void theScriptMendsAFunctionThatRunsByOtherRightsOrForAnybody() throws Exception {
    database.execute(SCRIPT);
    List<String> changes =
        List.of(
            "ALTER FUNCTION recorder.read_document(text) OWNER TO postgres",
            "ALTER FUNCTION recorder.read_document(text) SECURITY INVOKER",
            "GRANT EXECUTE ON FUNCTION recorder.read_document(text) TO PUBLIC");
    List<String> found = new ArrayList<>();
    for (String change : changes) {
      database.execute(change);
      found.addAll(faults());
      database.execute(SCRIPT);
    }

    String name = "function recorder.read_document(text) ";
    String remedy = ": run the output of 'recorder schema'";
    assertThat(found)
        .containsExactly(
            name + "belongs to role postgres, and not to recorder_reader" + remedy,
            name + "runs with the rights of whoever calls it" + remedy,
            name + "may be called by every role" + remedy);
    assertThat(faults()).isEmpty();
  }

  @Test
  void aFunctionForEntitiesIsOnesOwnAndIsLookedAtToo() throws Exception {
    String name = "recorder.entity_accounts_0123456789(json,text)";
    database.execute(
        SCRIPT,
        "CREATE FUNCTION recorder.entity_accounts_0123456789(json, text) RETURNS text[]"
            + " LANGUAGE sql SECURITY DEFINER AS 'SELECT ARRAY[$2]'",
        "ALTER FUNCTION " + name + " OWNER TO recorder_reader",
        "REVOKE ALL ON FUNCTION " + name + " FROM PUBLIC");
    assertThat(faults()).isEmpty();

    database.execute("GRANT EXECUTE ON FUNCTION " + name + " TO PUBLIC");

    assertThat(faults())
        .containsExactly(
            "function "
                + name
                + " may be called by every role: run 'recorder capture add' of a capture with"
                + " --entity, and with --again");
  }
}
