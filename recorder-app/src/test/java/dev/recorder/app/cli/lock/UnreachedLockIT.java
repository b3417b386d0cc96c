package dev.recorder.app.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.Run;
import dev.recorder.app.cli.TestSite;
import dev.recorder.postgres.LockSites;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.RedisServer;
import dev.recorder.testing.servers.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands about locks whose server is not there, or of whose servers one is none of theirs. */
class UnreachedLockIT {
  @TempDir private static Path siteFolder;
  private static TestSite site;
  private static TcpProxy proxy;

  /** By way of the proxy; has the section on the database and nothing else. */
  private static Path ini;

  @TempDir private Path folder;
  private LockedHost host;

  @BeforeAll
  static void makeTheTables() throws Exception {
    site = TestSite.create(siteFolder);
    LockSites.create(site.database);
    int port = Integer.parseInt(site.text().replaceFirst("(?s).*?\nport *= *(\\d+).*", "$1"));
    proxy = TcpProxy.to(port);
    String database = site.text().replaceFirst("(?s).*?(\\[postgredb][^\\[]*).*", "$1");
    ini =
        site.write(
            "only-database.ini", database.replaceFirst("port *= *\\d+", "port = " + proxy.port()));
  }

  @AfterAll
  static void close() throws Exception {
    proxy.close();
    site.close();
  }

  @BeforeEach
  void aHost() {
    proxy.heal();
    host = new LockedHost(folder);
  }

  private LockedHost.Started start(String line, String... more) throws Exception {
    return host.lockRun(ini, line, more);
  }

  @Test
  void aSectionOnTheDatabaseIsEnough() throws Exception {
    Run run = start("--name x -- echo done").ended();
    Run listed = Run.command(ini, "lock", "list");
    Run tasks = Run.command(ini, "tasks", "add", "t");

    assertThat(run).isEqualTo(new Run(0, "done\n", ""));
    listed.exits(0);
    tasks.exits(0);
  }

  @Test
  void aSectionOnRedisIsEnoughForItsKeys() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Path file =
          site.write(
              "only-redis.ini", "[redis]\nendpoint = 127.0.0.1\nport = " + redis.port() + "\n");

      String words = "--kind=redis --name=x -- printenv RECORDER_LOCK_TOKEN";
      Run run = host.lockRun(file, words).ended();
      Run listed = Run.command(file, "lock", "list");
      Run advisory = Run.command(file, "lock", "show", "--name", "x");
      Run tasks = Run.command(file, "tasks", "list");

      assertThat(run).isEqualTo(new Run(0, "1\n", ""));
      listed.exits(0);
      advisory.exits(2).saysFirst("--kind advisory needs a section [postgredb] in " + file);
      tasks.exits(78).says("section [postgredb] is missing");
    }
  }

  @Test
  void waitingForALockIsWaitingForItsServerToo() throws Exception {
    proxy.refuseNew();
    LockedHost.Started waiting = start("--name w --wait 1h -- echo done");
    String said = host.awaitFile("err-1");

    proxy.heal();

    assertThat(said).startsWith("recorder: lock w: waiting: cannot connect to ").hasLineCount(1);
    assertThat(waiting.ended().exitCode()).isZero();
    assertThat(waiting.ended().out()).isEqualTo("done\n");
  }

  @Test
  void aWaitThatNobodyAnsweredEndsAsIfThereHadBeenNone() throws Exception {
    proxy.refuseNew();

    Run waited = LockedHost.lockRunHere(ini, "--quiet --name w --wait 1s -- echo done");
    Run not = LockedHost.lockRunHere(ini, "--name w -- echo done");

    waited.exits(69);
    not.exits(69);
    waited.saysOnly(not.err()).saysFirst("recorder: lock w: cannot connect to");
  }

  @Test
  void aRedisThatTakesNoWritesNowIsWaitedForToo() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Path file =
          site.write("replica.ini", "[redis]\nendpoint = 127.0.0.1\nport = " + redis.port() + "\n");
      redis.ask("REPLICAOF", "127.0.0.1", "1");
      Run not = LockedHost.lockRunHere(file, "--kind redis --name w -- echo done");
      Run waited = LockedHost.lockRunHere(file, "--kind redis --name w --wait 1s -- echo done");
      LockedHost.Started waiting =
          host.lockRun(file, "--kind redis --name w --wait 1h -- echo done");
      String said = host.awaitFile("err-1");

      redis.ask("REPLICAOF", "NO", "ONE");

      not.exits(69).says("it is a replica: name the primary");
      waited.exits(69);
      assertThat(said).startsWith("recorder: lock w: waiting: ").contains("READONLY");
      assertThat(waiting.ended().out()).isEqualTo("done\n");
    }
  }

  @Test
  void soIsADatabaseWhoseNameLeadsToAStandby() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        TestDatabase database = TestDatabase.createOn(server, TestDatabase.ROLE)) {
      LockSites.create(database);
      Path signal = Path.of(database.one("SHOW data_directory"), "standby.signal");
      Files.createFile(signal);
      server.restart();
      Path file =
          site.write(
              "standby.ini",
              """
              [postgredb]
              endpoint = 127.0.0.1
              port = %d
              database = %s
              user = %s
              password = %s
              """
                  .formatted(
                      server.port(), database.name(), TestDatabase.ROLE, TestDatabase.PASSWORD));
      Run not = LockedHost.lockRunHere(file, "--kind mutex --name w -- echo done");
      LockedHost.Started waiting =
          host.lockRun(file, "--kind mutex --name w --wait 1h -- echo done");
      String said = host.awaitFile("err-1");

      database.execute("SELECT pg_promote()");

      not.exits(78).says("is a standby server");
      assertThat(said).startsWith("recorder: lock w: waiting: ");
      assertThat(waiting.ended().out()).isEqualTo("done\n");
    }
  }

  @Test
  void whoRanAndCannotTellThatTheLockIsFreeHasACodeForThat() throws Exception {
    LockedHost.Started good = start("--kind mutex --name g -- sh -c", LockedHost.WAITS);
    host.awaitFile("began");
    proxy.refuseNew();
    proxy.reset();
    Files.createFile(host.file("go"));

    good.ended()
        .exits(74)
        .saysFirst(
            "recorder: lock g: the command ended with exit code 0, and whether the lock is"
                + " released is not known: ")
        .inOneLine();
  }

  @Test
  void aCommandThatFailedKeepsItsOwnCode() throws Exception {
    LockedHost.Started bad =
        start("--kind timeout --every 1h --name b -- sh -c", LockedHost.WAITS + "; exit 3");
    host.awaitFile("began");
    proxy.refuseNew();
    proxy.reset();
    Files.createFile(host.file("go"));

    assertThat(bad.ended().exitCode()).isEqualTo(3);
  }

  @Test
  void whatSomebodyHasPutIntoNamesIsNotObeyedByTheTerminal() throws Exception {
    String name = "E'\\x1b[31mred\\nrow'";
    site.execute(
        "INSERT INTO recorder.lock_mutex (id, acquired, owner) VALUES ("
            + name
            + ", true, E'\\x1b]0;host/u/1');"
            + " INSERT INTO recorder.lock_task (id) VALUES ("
            + name
            + ")");

    Run locks = Run.command(ini, "lock", "list", "--kind", "mutex");
    Run tasks = Run.command(ini, "tasks", "list");
    Run taken = LockedHost.lockRunHere(ini, "--kind mutex --name \u001b[31mred\nrow -- true");

    for (Run run : List.of(locks, tasks)) {
      run.prints("\\u001b[31mred\\nrow").doesNotPrint("\u001b");
    }
    taken.exits(75).says("taken by \\u001b]0;host").doesNotSay("\u001b").inOneLine();
  }
}
