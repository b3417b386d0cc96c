package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.ReplayErrorKind;
import dev.recorder.testing.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the target's role lacks is named, with the statements, before anything is changed. */
class ReplayRightsIT {
  private static final int ALL = 50_000;

  private ReplaySite site;

  @BeforeEach
  void setUp() throws Exception {
    site = new ReplaySite();
    site.account();
    site.change("insert", "public.account", ReplaySite.account(1, "a"));
    site.change("schema", "shop.item", ",\"columns\":[{\"name\":\"id\",\"type\":\"integer\"}]");
    site.source.record(ALL);
    site.target.execute(
        "ALTER DATABASE " + site.target.name() + " OWNER TO postgres",
        "REVOKE ALL ON DATABASE " + site.target.name() + " FROM PUBLIC",
        "GRANT CONNECT ON DATABASE " + site.target.name() + " TO " + TestDatabase.ROLE,
        "CREATE SCHEMA shop",
        "REVOKE ALL ON SCHEMA public FROM PUBLIC");
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  private List<String> refusedFor() throws Exception {
    List<String> statements = new ArrayList<>();
    assertThatThrownBy(site::replay)
        .isInstanceOfSatisfying(
            ReplayException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ReplayErrorKind.RIGHTS);
              String text = e.getMessage();
              statements.addAll(
                  List.of(text.substring(text.indexOf("run there: ") + 11).split("; ?")));
            });
    assertThat(
            site.there(
                "SELECT relname::text FROM pg_class WHERE relnamespace >= 16384 AND relname NOT LIKE 'pg%'"))
        .isEmpty();
    return statements;
  }

  @Test
  void eachStepNamesAllStatementsItNeedsAndTheyAreEnough() throws Exception {
    List<String> first = refusedFor();
    assertThat(first).hasSize(2).allMatch(each -> each.contains("ON DATABASE"));
    site.target.execute(first.toArray(String[]::new));

    List<String> second = refusedFor();
    assertThat(second)
        .containsExactly(
            "GRANT USAGE, CREATE ON SCHEMA public TO recorder",
            "GRANT USAGE, CREATE ON SCHEMA shop TO recorder");
    site.target.execute(second.toArray(String[]::new));

    site.replay();
    assertThat(site.accounts()).containsExactly("1=a");
  }

  /** Whose triggers would run with the rights of the replay. */
  @Test
  void theBooksOfSomebodyElseAreNotWrittenInto() throws Exception {
    site.target.server().createRole("stranger", "x");
    site.target.execute(
        "GRANT CREATE, TEMPORARY ON DATABASE " + site.target.name() + " TO stranger, recorder",
        "SET ROLE stranger",
        "CREATE SCHEMA recorder_replay",
        "CREATE TABLE recorder_replay.positions (recorder text)",
        "GRANT ALL ON SCHEMA recorder_replay TO PUBLIC",
        "GRANT ALL ON recorder_replay.positions TO PUBLIC",
        "RESET ROLE");

    assertThatThrownBy(site::replay)
        .isInstanceOf(ReplayException.class)
        .hasMessageContaining("ALTER SCHEMA recorder_replay OWNER TO recorder")
        .hasMessageContaining("ALTER TABLE recorder_replay.positions OWNER TO recorder");
  }
}
