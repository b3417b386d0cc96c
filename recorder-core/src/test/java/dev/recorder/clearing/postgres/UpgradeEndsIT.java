package dev.recorder.clearing.postgres;

import static dev.recorder.clearing.postgres.EarlierSite.PARTITION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.operate.RebaseSite;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.testing.EndingSession;
import dev.recorder.testing.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whoever gives leaves to a table of an earlier version ends, or is replaced, in the midst of it:
 * between two commands of one step, where no client can end it.
 */
class UpgradeEndsIT {
  /** What happens at the beginning or the end of a session's n-th command that changes tables. */
  private static final String[] DISTURBED =
      """
      CREATE FUNCTION public.disturb() RETURNS event_trigger LANGUAGE plpgsql AS $$
      DECLARE
        n int := coalesce(nullif(current_setting('disturb.n', true), ''), '0')::int + 1;
      BEGIN
        PERFORM set_config('disturb.n', n::text, false);
        IF n::text = current_setting('disturb.at', true) THEN
          EXECUTE current_setting('disturb.by');
        END IF;
      END $$;
      CREATE EVENT TRIGGER disturb_before ON ddl_command_start EXECUTE FUNCTION public.disturb();
      CREATE EVENT TRIGGER disturb_after ON ddl_command_end EXECUTE FUNCTION public.disturb()
      """
          .split(";\n(?=CREATE)");

  private static final String ENDED = "SELECT pg_terminate_backend(pg_backend_pid())";
  private static final String REPLACED = "UPDATE recorder.lock_recorders SET epoch = epoch + 1";

  /** Commands of all three steps, each with a beginning and an end. */
  private static final int AT_LEAST = 30;

  private EarlierSite earlier;
  private RebaseSite site;

  @BeforeEach
  void create() throws Exception {
    earlier = new EarlierSite(PostgresServer.shared());
    site = earlier.site;
    site.insert("old");
    site.record(1);
    site.database.execute(DISTURBED);
  }

  @AfterEach
  void drop() throws Exception {
    earlier.close();
  }

  @Test
  void aStepThatIsEndedAtAnyCommandHasChangedNothing() throws Exception {
    List<String> inserted = new ArrayList<>(List.of("old"));
    int at = 0;
    do {
      assertThat(site.keys()).isEqualTo(inserted);
      site.insert("k" + ++at);
      inserted.add("k" + at);
      site.run("ALTER TABLE " + PARTITION + " DROP CONSTRAINT IF EXISTS ids_are_of_leaf_0");
    } while (isEnded(at));

    assertThat(at).isGreaterThan(AT_LEAST);
    earlier.turnUntilItHasLeaves();
    site.record(10);
    assertThat(site.keys()).isEqualTo(inserted);
    assertThat(earlier.lines()).isEqualTo(inserted);
    assertThat(site.verify().findings()).isEmpty();
  }

  /** Of the first step, of the second, and in the midst of the third. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 12})
  void theNextHostGoesOnWhereTheLastOneEnded(int at) throws Exception {
    assertThat(isEnded(at)).isTrue();
    assertThat(earlier.leafCount()).isZero();

    site.run("UPDATE recorder.lock_recorders SET epoch = epoch + 1, holder = 'host-b'");
    earlier.turnUntilItHasLeaves();

    site.insert("new");
    site.record(10);
    assertThat(site.keys()).containsExactly("old", "new");
    assertThat(site.verify().findings()).isEmpty();
  }

  /** Whether its session was ended. On a busy machine it is out of time before, and tries again. */
  private boolean isEnded(int at) throws SQLException {
    try (Connection doomed = disturbed(at, ENDED)) {
      while (earlier.leafCount() == 0) {
        earlier.turn(earlier.clearing(), doomed);
      }
      return false;
    } catch (DatabaseException ended) {
      return true;
    }
  }

  private Connection disturbed(int at, String by) throws SQLException {
    Connection session = site.sessions().openData();
    try (Statement statement = session.createStatement()) {
      statement.execute("SET disturb.at = '%d'; SET disturb.by = '%s'".formatted(at, by));
    }
    return session;
  }

  /** Within the step, so that only who asks at its end can see it. */
  @Test
  void whoIsReplacedWhileTheTableIsChangedUndoesIt() throws Exception {
    try (Connection session = disturbed(12, REPLACED)) {
      List<Report> reports = earlier.turn(earlier.clearing(), session);

      assertThat(reports).singleElement().extracting(Report::why).asString().isNotEmpty();
      while (!reports.toString().contains("the term is over")) {
        assertThat(reports.toString()).contains("others use it");
        reports = earlier.turn(earlier.clearing(), session);
      }
      assertThat(earlier.leafCount()).isZero();
    }
    assertThat(site.keys()).containsExactly("old");
  }

  @Test
  void whoWasReplacedDoesNoFurtherStep() throws Exception {
    String before = "none";
    for (int calls = 1; !before.startsWith("8"); calls++) {
      site.run("ALTER TABLE " + PARTITION + " DROP CONSTRAINT IF EXISTS ids_are_of_leaf_0");
      AtomicReference<String> state = new AtomicReference<>("not replaced");
      try (Connection session = site.sessions().openData()) {
        Connection watched =
            EndingSession.disturbed(
                calls,
                session,
                () -> {
                  site.run(REPLACED);
                  state.set(state());
                });
        earlier.turn(earlier.clearing(), watched);
      }
      before = state.get();
      assertThat(state()).as("replaced at call " + calls).isEqualTo(before);
    }
  }

  /** Number of leaves, and how far the proof is. */
  private String state() throws SQLException {
    return earlier.leafCount()
        + site.ask("SELECT convalidated FROM pg_constraint WHERE conname = 'ids_are_of_leaf_0'")
            .toString();
  }

  /** Users choose names of machines. */
  @Test
  void whateverAMachineIsCalledItsTermIsKnown() throws Exception {
    String name = "it's \\ $$ {x} :y ? \"z\" ü";
    earlier.holder = name;

    earlier.turnUntilItHasLeaves();

    assertThat(site.ask("SELECT holder FROM recorder.lock_recorders")).containsExactly(name);
  }
}
