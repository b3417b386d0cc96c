package dev.recorder.app.cli;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.postgres.LockSites;
import dev.recorder.testing.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code recorder lock run} that is stopped, and so can end nothing. */
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
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(host.running()).isEmpty());
    } finally {
      host.clear();
    }
  }

  private LockedHost.Started start(Path file, String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of("lock", "run", "-c", file.toString()));
    all.addAll(List.of(words));
    return host.start(all);
  }

  /** A command, a child of it and one in a group of its own, all of which write who they are. */
  private static String[] command() {
    String child = "trap '' TERM; echo $$ >>pids; while :; do sleep 0.05; done";
    return new String[] {
      "bash",
      "-c",
      "set -m; sh -c \""
          + child.replace("$", "\\$")
          + "\" & set +m; sh -c \""
          + child.replace("$", "\\$")
          + "\" & echo $$ >>pids; wait"
    };
  }

  private static String[] waiting() {
    return new String[] {"sh", "-c", "echo >began; while [ ! -e go ]; do sleep 0.1; done"};
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
    await().atMost(Duration.ofSeconds(30)).until(() -> !runsOn());
    Duration took = Duration.ofNanos(System.nanoTime() - stopped);
    System.out.println(
        "figure: " + kind + ", lease of 3 s, command gone after " + took.toMillis() + " ms");
  }

  private static String[] with(List<String> first, String... more) {
    List<String> all = new ArrayList<>(first);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private void awaitPids() {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                Files.exists(host.file("pids"))
                    && Files.readAllLines(host.file("pids")).size() == 3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash"})
  void itsCommandIsGoneWithTheLease(String shell) throws Exception {
    host.path(System.getenv("PATH"), "sh", shell);
    LockedHost.Started frozen = start(ini, with(List.of("--name", "f", "--"), command()));
    awaitPids();

    LockedHost.Started successor =
        start(ini, with(List.of("--name", "f", "--wait", "60s", "--"), WITNESS));
    frozen.signal("STOP");
    awaitTheCommandsEnd("advisory");
    assertThat(successor.ended().exitCode()).isZero();
    frozen.signal("CONT");

    Run ended = frozen.ended();
    assertThat(ended.exitCode()).isEqualTo(76);
    assertThat(ended.err())
        .isEqualTo(
            "recorder: lock f: lost: this process stood still until the lock had run out; its"
                + " guard ended the command with SIGKILL before that\n");
  }

  @Test
  void soItIsWithAKeyOfRedis() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      String section = "[redis]\nendpoint = 127.0.0.1\nport = %d\nexpiry = 3s\n";
      Path file = site.write("frozen.ini", site.text() + section.formatted(redis.port()));
      List<String> words = List.of("--kind", "redis", "--name", "f", "--wait", "60s", "--");
      LockedHost.Started frozen = start(file, with(words, command()));
      awaitPids();

      LockedHost.Started successor = start(file, with(words, WITNESS));
      frozen.signal("STOP");
      awaitTheCommandsEnd("redis");
      assertThat(successor.ended().exitCode()).isZero();
      frozen.signal("CONT");

      assertThat(frozen.ended().exitCode()).isEqualTo(76);
    }
  }

  /** It is renewed each time that it is awake, and stands still for longer than it lives in all. */
  @Test
  void aProcessThatIsOnlySlowKeepsItsCommand() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      String section = "[redis]\nendpoint = 127.0.0.1\nport = %d\nexpiry = 10s\n";
      Path file = site.write("slow.ini", site.text() + section.formatted(redis.port()));
      LockedHost.Started slow =
          start(file, with(List.of("--kind", "redis", "--name", "slow", "--"), waiting()));
      host.awaitFile("began");

      for (int pause = 0; pause < 6; pause++) {
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
        start(ini, with(List.of("--kind", "mutex", "--name", "m", "--"), waiting()));
    host.awaitFile("began");

    frozen.signal("STOP");
    Thread.sleep(LEASE.plusSeconds(1).toMillis());
    frozen.signal("CONT");
    Files.createFile(host.file("go"));

    assertThat(frozen.ended()).isEqualTo(new Run(0, "", ""));
  }
}
