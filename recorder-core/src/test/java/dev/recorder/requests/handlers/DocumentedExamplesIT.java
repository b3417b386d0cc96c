package dev.recorder.requests.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.requests.Outcome;
import dev.recorder.requests.Request;
import dev.recorder.requests.RequestHandler;
import dev.recorder.requests.RequestHandlerProvider;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.WorkUnit;
import dev.recorder.testing.servers.TestDatabase;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of handlers, and the examples in docs/handlers.md, do what the text says of them. */
class DocumentedExamplesIT {
  private static final String URL_PROPERTY = "balances.url";

  @TempDir private Path folder;

  @AfterEach
  void forgetTheDatabase() {
    System.clearProperty(URL_PROPERTY);
  }

  @Test
  void theProgramCountsEachRequestOnce() throws Exception {
    assumeTrue(python(), "python3 is here");
    Path program = folder.resolve("balances");
    Path database = folder.resolve("balances.db");
    String text = sample("balances.py").replace("/var/lib/shop/balances.db", database.toString());
    Script.of(program, text, "rwx------");

    assertCountsOnce(new ExecHandler(program, Duration.ofSeconds(30)));

    Outcome bad = new ExecHandler(program, Duration.ofSeconds(30)).handle(unit(99, "{}", 6L));
    assertThat(bad)
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed ->
                assertThat(failed.why())
                    .startsWith("balances: exit code 1: ")
                    .endsWith("KeyError: 'amount'"));
    assertThat(sqlite(database)).isEqualTo("7|14");
  }

  @Test
  void theClassCountsEachRequestOnce() throws Exception {
    try (TestDatabase database = TestDatabase.createOwned();
        Connection db = database.connect();
        Statement statement = db.createStatement();
        URLClassLoader jar = jar()) {
      statement.execute(
          """
          CREATE TABLE done (request bigint PRIMARY KEY);
          CREATE TABLE customer (
            entity text PRIMARY KEY, fence bigint NOT NULL, balance bigint NOT NULL DEFAULT 0)""");
      System.setProperty(
          URL_PROPERTY,
          "%s?user=%s&password=%s"
              .formatted(database.jdbcUrl(), TestDatabase.ROLE, TestDatabase.PASSWORD));
      RequestHandler handler = Handlers.in(jar).create("balances", Units.CUSTOMERS);

      assertCountsOnce(handler);

      assertThat(handler.handle(unit(99, "{\"amount\": \"x\"}", 6L)))
          .isInstanceOf(Outcome.Failed.class);
      assertThat(one(statement, "SELECT balance FROM customer WHERE entity = '7'")).isEqualTo("14");
    }
  }

  @Test
  void aFenceTellsWhatBecameOfItsUnit() throws Exception {
    try (TestDatabase database = TestDatabase.create();
        Connection worker = database.connect();
        Statement unit = worker.createStatement();
        Connection other = database.connect();
        Statement question = other.createStatement()) {
      for (String end : List.of("committed", "aborted")) {
        worker.setAutoCommit(false);
        String fence = one(unit, "SELECT pg_current_xact_id()");
        String asked = example("status").replace("81734", fence).replace(";", "");

        assertThat(one(question, asked)).isEqualTo("in progress");
        if (end.equals("committed")) {
          worker.commit();
        } else {
          worker.rollback();
        }
        assertThat(one(question, asked)).isEqualTo(end);
      }
    }
  }

  /** 10 - 3 from a unit that comes again with company, + 7; what an earlier unit brings is late. */
  private static void assertCountsOnce(RequestHandler handler) throws InterruptedException {
    Outcome complete = new Outcome.Complete();
    assertThat(handler.handle(unit(20, "{\"amount\": 10}", 1L))).isEqualTo(complete);
    assertThat(handler.handle(unit(30, "{\"amount\": -3}", 2L))).isEqualTo(complete);
    assertThat(handler.handle(unit(40, "{\"amount\": -3}", 2L))).isEqualTo(complete);
    Request again = new Request(2, RequestType.UPDATE, "{\"amount\": -3}", 2);
    Request company = new Request(3, RequestType.UPDATE, "{\"amount\": 7}", 0);
    assertThat(handler.handle(unit(50, again, company))).isEqualTo(complete);

    assertThat(handler.handle(unit(45, "{\"amount\": 1000}", 4L)))
        .isInstanceOfSatisfying(
            Outcome.Retry.class,
            retry -> assertThat(retry.why()).endsWith("a later unit was here"));
  }

  private static WorkUnit unit(long fence, String payload, long id) {
    return unit(fence, new Request(id, RequestType.UPDATE, payload, 0));
  }

  private static WorkUnit unit(long fence, Request... requests) {
    return new WorkUnit(Units.CUSTOMERS, "7", UUID.randomUUID(), fence, List.of(requests));
  }

  /** Compiles the class and puts it beside the file of services, as a jar has them. */
  private URLClassLoader jar() throws IOException {
    Path source = Files.writeString(folder.resolve("Balances.java"), sample("Balances.java"));
    Path classes = Files.createDirectories(folder.resolve("classes"));
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString(),
                source.toString());
    assertThat(result).isZero();
    Path services = Files.createDirectories(classes.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(RequestHandlerProvider.class.getName()), example("services"));
    return new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
  }

  private static String sample(String name) throws IOException {
    return Files.readString(Path.of("..", "conf", "handlers", name));
  }

  private static String example(String name) throws IOException {
    String text = Files.readString(Path.of("..", "docs", "handlers.md"));
    String mark = "<!-- example:" + name + " -->\n```";
    int start = text.indexOf('\n', text.indexOf(mark) + mark.length()) + 1;
    assertThat(text).contains(mark);
    return text.substring(start, text.indexOf("```", start));
  }

  private static String one(Statement statement, String query) throws SQLException {
    try (ResultSet result = statement.executeQuery(query)) {
      assertThat(result.next()).isTrue();
      return result.getString(1);
    }
  }

  private static boolean python() {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(place -> Files.isExecutable(Path.of(place, "python3")));
  }

  private static String sqlite(Path database) throws Exception {
    Process python =
        new ProcessBuilder(
                "python3",
                "-c",
                """
                import sqlite3, sys
                db = sqlite3.connect(sys.argv[1])
                print('%s|%d' % db.execute('SELECT entity, balance FROM customer').fetchone())""",
                database.toString())
            .start();
    String line = python.inputReader().readLine();
    assertThat(python.waitFor()).isZero();
    return line;
  }
}
