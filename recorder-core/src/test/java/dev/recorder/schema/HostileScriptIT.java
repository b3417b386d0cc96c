package dev.recorder.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.HostilePublic;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an administrator runs, in a database where others may create in {@code public}. */
class HostileScriptIT {
  private static final List<HandoffTable> TABLES =
      List.of(
          new HandoffTable(new RecorderName("orders"), RecorderKind.LOG, 1_000),
          new HandoffTable(new RecorderName("jobs"), RecorderKind.REQUESTS, 1_000));

  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @ParameterizedTest
  @EnumSource
  void theSuperuserCallsNothingOfOthers(HostilePublic.Path path) throws SQLException {
    HostilePublic hostile = HostilePublic.plant(database, path);
    String script = new Schema(SchemaNames.DEFAULT).script(TestDatabase.ROLE, TABLES);

    database.execute(script);
    database.execute(script); // Where all is there already, other branches run.

    assertThat(hostile.sprung()).isEmpty();
  }

  @Test
  void theTrapsAreSetAndSeenByWhoeverLooksIntoPublic() throws SQLException {
    HostilePublic hostile = HostilePublic.plant(database, HostilePublic.Path.CATALOG_FIRST);

    database.execute("SELECT format('%I %I', current_database(), 'x')");

    assertThat(hostile.sprung())
        .containsExactly("postgres (PostgreSQL JDBC Driver) called format(text,name,text)");
  }

  /** A table of theirs would be taken for ours, with their triggers on it. */
  @Test
  void aSchemaThatSomebodyElseHasMadeIsRefused() throws SQLException {
    Schema schema = new Schema(SchemaNames.DEFAULT);
    squat("squatter");

    assertThatThrownBy(() -> database.execute(schema.script(TestDatabase.ROLE, TABLES)))
        .hasMessageContaining("belongs to role squatter, which is neither an administrator nor");
    assertThatThrownBy(
            () -> database.execute("SET ROLE recorder; " + schema.control() + "; RESET ROLE"))
        .hasMessageContaining("belongs to role squatter");
  }

  /** From then on it may do nothing with roles that it has not created. */
  @Test
  void whoMayCreateRolesIsNoAdministratorFromPostgreSql16On() throws SQLException {
    squat("role_maker");
    database.execute("ALTER ROLE role_maker CREATEROLE");
    String script = new Schema(SchemaNames.DEFAULT).script(TestDatabase.ROLE, TABLES);

    if (database.number("SELECT current_setting('server_version_num')::int") < 160_000) {
      assertThatCode(() -> database.execute(script)).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> database.execute(script))
          .hasMessageContaining("belongs to role role_maker, which is neither an administrator");
    }
  }

  /** Its triggers, or a partition key of its own, would run its code as whoever uses it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE handoff.jobs (id bigint)",
        "CREATE TABLE handoff.orders (id bigint) PARTITION BY LIST (id)"
      })
  void aHandoffTableThatSomebodyElseHasMadeIsRefused(String table) throws SQLException {
    Schema schema = new Schema(SchemaNames.DEFAULT);
    database.execute(
        schema.roles(TestDatabase.ROLE),
        schema.control(),
        "GRANT USAGE ON SCHEMA handoff TO PUBLIC");
    database.server().createRole("squatter", TestDatabase.PASSWORD);
    database.execute("GRANT CREATE ON SCHEMA handoff TO squatter");
    as("squatter", table);

    assertThatThrownBy(() -> database.execute(schema.script(TestDatabase.ROLE, TABLES)))
        .hasMessageContaining("relation handoff.")
        .hasMessageContaining("belongs to role squatter, which is neither an administrator nor");
    try (Connection host = database.connect()) {
      for (HandoffTable each : TABLES) {
        assertThat(each.conflict(host, SchemaNames.DEFAULT))
            .isEqualTo(
                table.contains("handoff." + each.recorder() + " ")
                    ? "table handoff.%s, or a partition of it, belongs to role squatter, which is neither an administrator nor the hosts' and could have hosts run code of its own: look at it; then drop it, or change its owner"
                        .formatted(each.recorder())
                    : "");
      }
    }
  }

  /** The administrator who has made the hosts' role need not own the database. */
  @Test
  void aHandoffTableOfWhoMadeTheHostsRoleIsTaken() throws SQLException {
    Schema schema = new Schema(SchemaNames.DEFAULT);
    database.server().createRole("maker", TestDatabase.PASSWORD);
    database.execute(
        schema.script(TestDatabase.ROLE, TABLES),
        "GRANT recorder TO maker WITH ADMIN OPTION",
        "ALTER TABLE handoff.orders OWNER TO maker");
    try (Connection host = database.connect()) {
      assertThat(TABLES.get(0).conflict(host, SchemaNames.DEFAULT)).isEmpty();
    } finally {
      database.execute("REVOKE recorder FROM maker");
    }
    try (Connection host = database.connect()) {
      assertThat(TABLES.get(0).conflict(host, SchemaNames.DEFAULT))
          .contains("belongs to role maker");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rds_superuser", "cloudsqlsuperuser", "azure_pg_admin"})
  void soIsOneOfAnAdministratorOfACloud(String administrators) throws SQLException {
    String member = "member_of_" + administrators;
    database.server().createRole(member, TestDatabase.PASSWORD);
    database.execute(
        new Schema(SchemaNames.DEFAULT).script(TestDatabase.ROLE, TABLES),
        "CREATE ROLE " + administrators,
        "ALTER TABLE handoff.orders OWNER TO " + member);
    try (Connection host = database.connect()) {
      assertThat(TABLES.get(0).conflict(host, SchemaNames.DEFAULT)).contains(member);
    }
    database.execute("GRANT %s TO %s".formatted(administrators, member));
    try (Connection host = database.connect()) {
      assertThat(TABLES.get(0).conflict(host, SchemaNames.DEFAULT)).isEmpty();
    } finally {
      database.execute("DROP ROLE " + administrators);
    }
  }

  private void as(String role, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(database.jdbcUrl(), role, TestDatabase.PASSWORD);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void squat(String role) throws SQLException {
    database.server().createRole(role, TestDatabase.PASSWORD);
    database.execute("GRANT CREATE ON DATABASE " + database.name() + " TO " + role);
    as(role, new Schema(SchemaNames.DEFAULT).control());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a$$b", "$q1$ $$ $q2", "x\"y", "it's \\ %I :name", "größe$"})
  void anyRolesNameIsANameAndNoSql(String role) throws SQLException {
    String quoted = '"' + role.replace("\"", "\"\"") + '"';
    String script = new Schema(SchemaNames.DEFAULT).script(role, TABLES);
    try {
      database.execute(script);
      database.execute(script);
      database.execute("SET ROLE " + quoted + "; SELECT FROM recorder.lock_recorders");
    } finally {
      database.execute("DROP OWNED BY " + quoted + "; DROP ROLE " + quoted);
    }
  }
}
