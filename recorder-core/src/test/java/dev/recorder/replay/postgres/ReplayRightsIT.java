package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.reader.LogSlot;
import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.ReplayErrorKind;
import dev.recorder.replay.ReplayPosition;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    // The temporary tables of its session go a moment after it has ended.
    assertThat(
            site.there(
                "SELECT relname::text FROM pg_class WHERE relnamespace >= 16384"
                    + " AND relpersistence <> 't' AND relname NOT LIKE 'pg%'"))
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

  private void premade(String... statements) throws Exception {
    site.target.server().createRole("stranger", "x");
    site.target.execute(
        "GRANT CREATE, TEMPORARY ON DATABASE " + site.target.name() + " TO stranger, recorder",
        "GRANT USAGE, CREATE ON SCHEMA public, shop TO recorder, stranger",
        "SET ROLE stranger",
        "CREATE SCHEMA recorder_replay",
        "CREATE TABLE recorder_replay.positions (recorder text PRIMARY KEY, log uuid NOT NULL,"
            + " next_slot bigint NOT NULL, window_from text, window_to text, window_ends boolean,"
            + " update_time timestamptz NOT NULL)",
        "CREATE FUNCTION public.ran() RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS"
            + " $$BEGIN IF current_user = 'recorder' THEN RAISE 'ran as %', current_user; END IF;"
            + " RETURN true; END$$",
        "CREATE FUNCTION public.trapped() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$BEGIN RAISE 'ran as %', current_user; END$$");
    site.target.execute(statements);
  }

  private void isRefusedSince(String why) {
    assertThatThrownBy(site::replay)
        .isInstanceOfSatisfying(
            ReplayException.class, e -> assertThat(e.kind()).isEqualTo(ReplayErrorKind.OTHERS))
        .hasMessageContaining("schema recorder_replay of the target " + why + ", which no replay");
  }

  /** Whose triggers would run with the rights of the replay. */
  @Test
  void theBooksOfOthersAreNotWrittenInto() throws Exception {
    premade();
    isRefusedSince("is of role stranger");
  }

  /** By an administrator, who means well. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT|has positions of role stranger",
        "CREATE TRIGGER t BEFORE INSERT ON {} EXECUTE FUNCTION public.trapped()|"
            + "has positions with trigger t",
        "CREATE RULE r AS ON INSERT TO {} DO ALSO SELECT public.ran()|has positions with rule r",
        "ALTER TABLE {} ADD CONSTRAINT c CHECK (public.ran())|has positions with constraint c",
        "ALTER TABLE {} ADD x boolean DEFAULT public.ran()|has positions with a default",
        "CREATE INDEX i ON {} ((public.ran()))|has positions with index recorder_replay.i",
        "CREATE STATISTICS s ON (public.ran()), log FROM {}|has positions with statistics",
        "ALTER TABLE {} ENABLE ROW LEVEL SECURITY|has positions that is no plain table",
        "CREATE VIEW recorder_replay.tables AS SELECT * FROM {}|has tables that is no plain table",
        "GRANT INSERT ON {} TO stranger|has positions that role stranger may change",
        "GRANT REFERENCES ON {} TO PUBLIC|has positions that role PUBLIC may refer to (REVOKE REFERENCES)",
        "GRANT INSERT (log) ON {} TO PUBLIC|has positions that role PUBLIC may change",
        "GRANT CREATE ON SCHEMA recorder_replay TO PUBLIC|lets role PUBLIC create in it"
      })
  void norAreTheyOnceTheirOwnerHasBeenChanged(String added, String why) throws Exception {
    premade(
        "GRANT TRIGGER ON recorder_replay.positions TO stranger",
        "SET ROLE stranger",
        added.replace("{}", "recorder_replay.positions"),
        "RESET ROLE",
        "ALTER SCHEMA recorder_replay OWNER TO recorder",
        "REVOKE TRIGGER ON recorder_replay.positions FROM stranger",
        added.equals("SELECT") ? "SELECT" : "REASSIGN OWNED BY stranger TO recorder");
    if (added.startsWith("GRANT INSERT ON")) {
      site.target.execute("GRANT INSERT ON recorder_replay.positions TO stranger");
    }
    isRefusedSince(why);
  }

  /** Who refers to a table by REFERENCES alone has a cascade queue triggers. */
  @ParameterizedTest
  @ValueSource(strings = {"positions", "tables", "snapshots"})
  void norAreTheyIfATableOfOthersRefersToThem(String table) throws Exception {
    replayIntoTheSchemaOfAStranger();
    site.target.execute(
        "GRANT USAGE ON SCHEMA recorder_replay TO stranger",
        "GRANT REFERENCES ON recorder_replay." + table + " TO stranger",
        "SET ROLE stranger",
        "CREATE TABLE public.own (r text REFERENCES recorder_replay."
            + table
            + " ON DELETE CASCADE)",
        "RESET ROLE",
        "REVOKE REFERENCES ON recorder_replay." + table + " FROM stranger");
    isRefusedSince(
        "has "
            + table
            + " with foreign key own_r_fkey of table public.own of role stranger, which refers to"
            + " recorder_replay."
            + table
            + " (ALTER TABLE public.own DROP CONSTRAINT own_r_fkey; REVOKE REFERENCES ON"
            + " recorder_replay."
            + table
            + " FROM stranger)");
  }

  private static final String TRAP =
      """
      CREATE FUNCTION public.trap() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN INSERT INTO public.ran VALUES (current_user); RETURN NULL; END$$
      """;

  /** Schema shop is of a stranger, who may have code run by others; the first replay is done. */
  private void replayIntoTheSchemaOfAStranger() throws Exception {
    site.target.server().createRole("stranger", TestDatabase.PASSWORD);
    site.target.execute(
        "GRANT ALL ON DATABASE " + site.target.name() + " TO stranger, recorder",
        "GRANT USAGE, CREATE ON SCHEMA public TO stranger, recorder",
        "ALTER SCHEMA shop OWNER TO stranger",
        "GRANT USAGE, CREATE ON SCHEMA shop TO recorder",
        "CREATE TABLE public.ran (who name)",
        "GRANT INSERT ON public.ran TO PUBLIC",
        "SET ROLE stranger",
        TRAP);
    site.replay();
  }

  private void isRefusedBehind(Connection stranger, String... last) throws Exception {
    assertThatThrownBy(() -> site.replayBehind(stranger, last))
        .isInstanceOfSatisfying(
            ReplayException.class, e -> assertThat(e.kind()).isEqualTo(ReplayErrorKind.OTHERS))
        .hasMessageContaining("a table shop.item already, which has been made anew");
    assertThat(site.there("SELECT who::text FROM public.ran")).isEmpty();
  }

  /** Which the owner of a schema may do to all that is in it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "insert|,\"after\":{\"id\":1}",
        "truncate|''",
        "schema|,\"columns\":[{\"name\":\"id\",\"type\":\"bigint\"}]"
      })
  void aTableThatIsPutInThePlaceOfOneThatIsWaitedForIsNotTouched(String op, String members)
      throws Exception {
    replayIntoTheSchemaOfAStranger();
    site.change(op, "shop.item", members);
    site.source.record(ALL);
    try (Connection stranger =
        site.other(
            "stranger",
            "DROP TABLE shop.item",
            "CREATE TABLE shop.item (id integer)",
            "GRANT ALL ON shop.item TO recorder",
            "CREATE TRIGGER t AFTER INSERT OR TRUNCATE ON shop.item EXECUTE FUNCTION public.trap()")) {
      isRefusedBehind(stranger);
    }
  }

  /** A name of a schema is kept by no lock. */
  @Test
  void norIsOneInASchemaThatGetsTheNameWhileATruncationWaits() throws Exception {
    replayIntoTheSchemaOfAStranger();
    site.target.execute("GRANT SELECT ON shop.item TO stranger");
    site.change("truncate", "shop.item", "");
    site.source.record(ALL);
    try (Connection stranger = site.other("stranger", "SELECT FROM shop.item")) {
      isRefusedBehind(
          stranger,
          "ALTER SCHEMA shop RENAME TO former",
          "CREATE SCHEMA shop",
          "GRANT USAGE ON SCHEMA shop TO recorder",
          "CREATE TABLE shop.item (id integer)",
          "GRANT ALL ON shop.item TO recorder",
          "CREATE TRIGGER t AFTER TRUNCATE ON shop.item EXECUTE FUNCTION public.trap()");
    }
  }

  /** A table of a stranger, which a cascade from the rebuilt one reaches, with a trigger. */
  private void refers(String references) throws Exception {
    site.target.execute(
        "GRANT REFERENCES ON public.account TO stranger",
        "SET ROLE stranger",
        "CREATE TABLE public.own (id integer " + references + ")",
        "INSERT INTO public.own VALUES (1)",
        "CREATE TRIGGER t AFTER DELETE ON public.own FOR EACH ROW EXECUTE FUNCTION public.trap()");
    site.change("delete", "public.account", ",\"key\":{\"id\":1}");
    site.source.record(ALL);
  }

  /** Before PostgreSQL 18 the trigger would run as the role that deletes the referenced row. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "REFERENCES public.account ON DELETE CASCADE",
        "REFERENCES public.account",
        "REFERENCES public.middle ON DELETE CASCADE"
      })
  void aTableThatATableOfOthersRefersToIsNotChanged(String references) throws Exception {
    replayIntoTheSchemaOfAStranger();
    site.target.execute(
        "SET ROLE recorder",
        "CREATE TABLE public.middle (id integer PRIMARY KEY REFERENCES public.account ON DELETE"
            + " CASCADE)",
        "INSERT INTO public.middle VALUES (1)",
        "GRANT REFERENCES ON public.middle TO stranger");
    refers(references);

    String place = references.contains("middle") ? "public.middle" : "public.account";
    assertThatThrownBy(site::replay)
        .isInstanceOfSatisfying(
            ReplayException.class, e -> assertThat(e.kind()).isEqualTo(ReplayErrorKind.OTHERS))
        .hasMessageContaining(
            "table public.account has the foreign key own_id_fkey of table public.own of role"
                + " stranger, which refers to %1$s (ALTER TABLE public.own DROP CONSTRAINT"
                + " own_id_fkey; REVOKE REFERENCES ON %1$s FROM stranger)",
            place);
    assertThat(site.there("SELECT who::text FROM public.ran")).isEmpty();

    site.target.execute("ALTER TABLE public.own DROP CONSTRAINT own_id_fkey");
    site.replay();
    assertThat(site.accounts()).isEmpty();
  }

  @Test
  void aForeignKeyOfARoleThatMayActAsTheReplaysIsFollowed() throws Exception {
    replayIntoTheSchemaOfAStranger();
    site.target.execute("GRANT recorder TO stranger");
    try {
      refers("REFERENCES public.account ON DELETE CASCADE");

      site.replay();
    } finally { // The server is that of other tests, too.
      site.target.execute("REVOKE recorder FROM stranger");
    }
    assertThat(site.accounts()).isEmpty();
    assertThat(site.there("SELECT id::text FROM public.own")).isEmpty();
  }

  /** As that of others is refused which is there before. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theSchemaOfReplaysIsNotTakenFromOthersWhoMakeItMeanwhile(boolean all) throws Exception {
    replayIntoTheSchemaOfAStranger();
    site.target.execute(
        "DROP SCHEMA recorder_replay CASCADE", "DROP TABLE public.account, shop.item");
    try (JdbcReplayTarget into = site.open()) {
      List<LogSlot> slots = site.slots();
      slots.forEach(into::stage);
      site.target.execute(
          "SET ROLE stranger",
          "CREATE SCHEMA recorder_replay",
          "GRANT ALL ON SCHEMA recorder_replay TO recorder",
          """
          CREATE TABLE recorder_replay.positions (recorder text PRIMARY KEY, log uuid NOT NULL,
            next_slot bigint NOT NULL, window_from text, window_to text, window_ends boolean,
            update_time timestamptz NOT NULL)
          """,
          "CREATE TRIGGER t AFTER INSERT ON recorder_replay.positions EXECUTE FUNCTION public.trap()",
          "GRANT ALL ON recorder_replay.positions TO recorder",
          all
              ? """
              CREATE TABLE recorder_replay.tables (name text PRIMARY KEY, recorder text NOT NULL,
                columns text NOT NULL, aside text);
              CREATE TABLE recorder_replay.snapshots (name text PRIMARY KEY, begun bigint NOT NULL,
                seen text NOT NULL);
              GRANT ALL ON recorder_replay.tables, recorder_replay.snapshots TO recorder
              """
              : "SELECT");
      LogSlot last = slots.get(slots.size() - 1);
      assertThatThrownBy(
              () -> into.apply(new ReplayPosition(last.slot() + 1, last.window().orElse(null))))
          .isInstanceOfSatisfying(
              ReplayException.class, e -> assertThat(e.kind()).isEqualTo(ReplayErrorKind.OTHERS))
          .hasMessageContaining("schema recorder_replay of the target is of role stranger");
      if (all) {
        assertThatThrownBy(into::position).hasMessageContaining("is of role stranger");
      }
    }
    assertThat(site.there("SELECT who::text FROM public.ran")).isEmpty();
  }
}
