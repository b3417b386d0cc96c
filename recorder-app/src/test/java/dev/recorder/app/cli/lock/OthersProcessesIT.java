package dev.recorder.app.cli.lock;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.Run;
import dev.recorder.app.cli.TestSite;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands under a lock that run programs of another user, as by sudo. */
class OthersProcessesIT {
  private static final String AS_NOBODY = "setpriv --reuid 65534 --clear-groups sleep 300";

  @TempDir private static Path siteFolder;
  private static TestSite site;
  private static Path ini;

  @TempDir private Path folder;
  private LockedHost host;

  @BeforeAll
  static void makeTheTables() throws Exception {
    site = TestSite.create(siteFolder);
    ini = site.write("lock.ini", site.text());
    site.runOnce();
  }

  @AfterAll
  static void close() throws Exception {
    site.close();
  }

  @BeforeEach
  void aHost() throws Exception {
    host = new LockedHost(folder);
    host.mayNotEndOthers();
  }

  @AfterEach
  void clear() throws Exception {
    host.clear();
  }

  private LockedHost.Started start(String line, String... more) throws Exception {
    return host.lockRun(ini, line, more);
  }

  @Test
  void aLockIsKeptWhileAChildOfAnotherUserLives() throws Exception {
    LockedHost.Started first =
        start("--name sudo --grace 100ms -- sh -c", AS_NOBODY + " & echo $! >began");
    String pid = host.awaitFile("began");
    String said = host.awaitFile("err-1");

    Run second = LockedHost.lockRunHere(ini, "--name sudo -- echo beside");
    end(pid);

    second.exits(75).printsNothing();
    assertThat(said)
        .isEqualTo(
            "recorder: lock sudo: SIGKILL has not ended process %s (sleep) of user nobody: end it as"
                    .formatted(pid)
                + " that user, or as root; the lock is kept until then");
    first.ended().exits(0);
    start("--name sudo -- echo alone").ended().exits(0).printsOnly("alone\n");
  }

  @Test
  void soIsItIfTheCommandItselfIsOfAnotherUserAndThisProcessIsToldToEnd() throws Exception {
    LockedHost.Started first =
        start(
            "--kind mutex --name sudo --grace 100ms -- sh -c", "echo $$ >began; exec " + AS_NOBODY);
    String pid = host.awaitFile("began");
    first.signal("TERM");
    host.awaitFile("err-1");
    first.signal("TERM");

    Run second = LockedHost.lockRunHere(ini, "--kind mutex --name sudo -- echo beside");
    end(pid);

    second.exits(75).printsNothing();
    first.ended().exits(143).says("process " + pid + " (sleep) of user nobody");
  }

  @Test
  void whoeverLosesTheLockNamesWhatGoesOn() throws Exception {
    LockedHost.Started first =
        start("--name taken --grace 100ms -- sh -c", "echo $$ >began; exec " + AS_NOBODY);
    String pid = host.awaitFile("began");

    Run.command(ini, "lock", "release", "--name", "taken", "--force").exits(0);

    first
        .ended()
        .exits(76)
        .says(
            "and SIGKILL, but process %s (sleep) of user nobody still runs: end it as that user"
                .formatted(pid))
        .says("another process may have worked at the same time");
    end(pid);
  }

  private static void end(String pid) {
    ProcessHandle process = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    process.destroyForcibly();
    await().until(() -> !process.isAlive());
  }
}
