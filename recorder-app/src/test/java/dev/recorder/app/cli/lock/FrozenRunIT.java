package dev.recorder.app.cli.lock;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.Run;
import dev.recorder.app.cli.TestSite;
import dev.recorder.postgres.LockSites;
import dev.recorder.testing.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code recorder lock run} that is stopped, and so can end nothing. */
@Tag("nightly")
class FrozenRunIT {
  /** Of a session's locks when it says nothing. */
  private static final Duration LEASE = Duration.ofSeconds(3);

  /** A command that fails if any of those processes runs beside it. */
  private static final String[] WITNESS = {
    "sh",
    "-c",
    "for p in $(cat pids); do case $(sed 's/.*) //' /proc/$p/stat 2>/dev/null) in"
        + " ''|Z*|X*) ;; *) exit 9 ;; esac; done"
  };

  @TempDir private static Path siteFolder;
  private static TestSite site;
  private static Path ini;

  @TempDir private Path folder;
  private LockedHost host;

  @BeforeAll
  static void makeTheTables() throws Exception {
    site = TestSite.create(siteFolder);
    ini = site.write("lock.ini", site.text());
    LockSites.create(site.database);
  }

  @AfterAll
  static void close() throws Exception {
    site.close();
  }

  @BeforeEach
  void aHost() {
    host = new LockedHost(folder);
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    try {
      await().untilAsserted(() -> assertThat(host.running()).isEmpty());
    } finally {
      host.clear();
    }
  }

  /**
   * A command, a child of it and one in a group of its own, all of which write who they are. A
   * shell whose child is killed an instant before it may say so, which is not what we say.
   */
  private static String[] command() {
    String child = "trap '' TERM; echo $$ >>pids; while :; do sleep 0.05; done";
    return new String[] {
      "bash",
      "-c",
      "exec 2>/dev/null; set -m; sh -c \""
          + child.replace("$", "\\$")
          + "\" & set +m; sh -c \""
          + child.replace("$", "\\$")
          + "\" & echo $$ >>pids; wait"
    };
  }

  private boolean runsOn() throws IOException {
    for (String pid : Files.readAllLines(host.file("pids"))) {
      try {
        String stat = Files.readString(Path.of("/proc", pid, "stat"));
        // Who has ended is listed until somebody asks how, and that is who is frozen.
        if (!stat.substring(stat.lastIndexOf(')')).matches("(?s)\\) [ZX].*")) {
          return true;
        }
      } catch (NoSuchFileException gone) {
        // Nobody had to be asked.
      }
    }
    return false;
  }

  private void awaitTheCommandsEnd(String kind) {
    long stopped = System.nanoTime();
    await().until(() -> !runsOn());
    Duration took = Duration.ofNanos(System.nanoTime() - stopped);
    System.out.println(
        "figure: " + kind + ", lease of 3 s, command gone after " + took.toMillis() + " ms");
  }

  private void awaitPids() {
    Path pids = host.file("pids");
    await().until(() -> Files.exists(pids) && Files.readAllLines(pids).size() == 3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash"})
  void itsCommandIsGoneWithTheLease(String shell) throws Exception {
    host.path(System.getenv("PATH"), "sh", shell);
    String stoodStill =
        "recorder: lock f: lost: this process stood still until the lock had run out; its"
            + " guard ended the command with SIGKILL before that\n";
    Run frozen = frozenWhileItHasTheLock();
    for (int again = 4; !frozen.err().equals(stoodStill) && again > 0; again--) {
      // A busy host may have let the lock run out before the process was stopped.
      Files.delete(host.file("pids"));
      frozen = frozenWhileItHasTheLock();
    }
    frozen.exits(76).saysOnly(stoodStill);
  }

  private Run frozenWhileItHasTheLock() throws Exception {
    LockedHost.Started frozen = host.lockRun(ini, "--name f --", command());
    awaitPids();

    LockedHost.Started successor = host.lockRun(ini, "--name f --wait 60s --", WITNESS);
    if (frozen.process().isAlive()) {
      frozen.signal("STOP");
    }
    awaitTheCommandsEnd("advisory");
    successor.ended().exits(0);
    if (frozen.process().isAlive()) {
      frozen.signal("CONT");
    }

    return frozen.ended().exits(76);
  }

  @Test
  void soItIsWithAKeyOfRedis() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Path file = site.writeWithRedis(redis, "expiry = 3s");
      String words = "--kind redis --name f --wait 60s --";
      LockedHost.Started frozen = host.lockRun(file, words, command());
      awaitPids();

      LockedHost.Started successor = host.lockRun(file, words, WITNESS);
      frozen.signal("STOP");
      awaitTheCommandsEnd("redis");
      successor.ended().exits(0);
      frozen.signal("CONT");

      frozen.ended().exits(76);
    }
  }

  /** It is renewed each time that it is awake, and stands still for longer than it lives in all. */
  @Test
  void aProcessThatIsOnlySlowKeepsItsCommand() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Path file = site.writeWithRedis(redis, "expiry = 15s");
      LockedHost.Started slow =
          host.lockRun(file, "--kind redis --name slow -- sh -c", LockedHost.WAITS);
      host.awaitFile("began");

      for (int pause = 0; pause < 8; pause++) {
        slow.signal("STOP");
        Thread.sleep(2_000);
        slow.signal("CONT");
        Thread.sleep(1_000);
      }
      Files.createFile(host.file("go"));

      assertThat(slow.ended()).isEqualTo(new Run(0, "", ""));
    }
  }

  /** What is a row is somebody's as long as it says so. */
  @Test
  void aMutexIsNotLostByStandingStill() throws Exception {
    LockedHost.Started frozen =
        host.lockRun(ini, "--kind mutex --name m -- sh -c", LockedHost.WAITS);
    host.awaitFile("began");

    frozen.signal("STOP");
    Thread.sleep(LEASE.plusSeconds(1).toMillis());
    frozen.signal("CONT");
    Files.createFile(host.file("go"));

    assertThat(frozen.ended()).isEqualTo(new Run(0, "", ""));
  }
}
