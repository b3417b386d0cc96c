package dev.recorder.app.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.host.HttpConfig;
import dev.recorder.app.config.value.Secret;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The section {@code [http]}. */
class HttpSectionTest {
  @TempDir private Path folder;

  @Test
  void withoutItThereIsNoPort() {
    assertThat(TestIni.minimal(folder).load().http()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:9747, 127.0.0.1, 9747",
    "127.1.2.3:1, 127.1.2.3, 1",
    "localhost:65535, localhost, 65535",
    "[::1]:80, ::1, 80"
  })
  void loopbackNeedsNoToken(String listen, String host, int port) {
    HttpConfig http =
        requireNonNull(TestIni.minimal(folder).with("http", "listen = " + listen).load().http());

    assertThat(http.token()).isNull();
    assertThat(http.host()).isEqualTo(host);
    assertThat(http.port()).isEqualTo(port);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0:9747", "[::]:9747", "10.0.0.1:9747", "127.0.0.1.example:9747"})
  void whatOthersCanReachNeedsAToken(String listen) {
    TestIni ini = TestIni.minimal(folder).with("http", "listen = " + listen);
    assertThat(ini.findings())
        .containsExactly(
            ini.line("listen = " + listen)
                + ": error: listen = "
                + listen
                + " can be reached from other hosts, and the page and /metrics ask for nothing;"
                + " help: write token_file = a path, or listen = 127.0.0.1:9747");

    TestIni.write(folder.resolve("token"), "0123456789abcdef\n", "rw-------");
    RecorderConfig config = ini.with("http", "token_file = token").load();
    assertThat(config.http()).isEqualTo(new HttpConfig(listen, new Secret("0123456789abcdef")));
    assertThat(config.effective()).contains("token_file = ***").doesNotContain("0123456789");
  }

  @Test
  void aShortTokenIsRefusedAndNotRepeated() {
    TestIni.write(folder.resolve("token"), "hunter2\n", "rw-------");
    TestIni ini =
        TestIni.minimal(folder).with("http", "listen = 127.0.0.1:1", "token_file = token");

    assertThat(ini.findings())
        .singleElement()
        .asString()
        .contains("has fewer than 16 characters on its first line")
        .doesNotContain("hunter2");
  }

  /** As a bearer's it would get 401, and as a password only from browsers that send UTF-8. */
  @ParameterizedTest
  @ValueSource(
      strings = {"häuserzeile-und-garten", "0123456789abcdef\t0", "0123456789abcdef\u007f0"})
  void aTokenThatNoHeaderCanCarryIsRefusedAndNotRepeated(String token) {
    TestIni.write(folder.resolve("token"), token + "\n", "rw-------");
    TestIni ini =
        TestIni.minimal(folder).with("http", "listen = 127.0.0.1:1", "token_file = token");

    assertThat(ini.findings())
        .singleElement()
        .asString()
        .startsWith(ini.line("token_file = token") + ": error: token_file ")
        .contains(folder.resolve("token") + " has characters on its first line that no header")
        .contains("; help: write a token of ASCII letters and digits there, such as openssl rand")
        .doesNotContain(token);
  }

  @Test
  void anythingElseOfAsciiIsAToken() {
    String token = "~ correct horse 'battery' staple!";
    TestIni.write(folder.resolve("token"), token + "\n", "rw-------");
    TestIni ini =
        TestIni.minimal(folder).with("http", "listen = 127.0.0.1:1", "token_file = token");

    assertThat(ini.load().http()).isEqualTo(new HttpConfig("127.0.0.1:1", new Secret(token)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"9747", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:65536", "a b:1", "::1:80"})
  void anAddressHasAPort(String listen) {
    assertThat(TestIni.minimal(folder).with("http", "listen = " + listen).findings())
        .singleElement()
        .asString()
        .contains("is no address with a port");
  }

  @Test
  void itIsNotPartOfWhatHostsShare() {
    TestIni ini = TestIni.minimal(folder);
    String hash = ini.load().configHash();

    assertThat(ini.with("http", "listen = 127.0.0.1:1").load().configHash()).isEqualTo(hash);
  }

  @Test
  void aChangeNeedsARestart() {
    RecorderConfig running = TestIni.minimal(folder).with("http", "listen = 127.0.0.1:1").load();
    RecorderConfig fresh = TestIni.minimal(folder).with("http", "listen = 127.0.0.1:2").load();

    Reload reload = Reload.of(running, fresh);

    assertThat(reload.config().http()).isEqualTo(running.http());
    assertThat(reload.needsRestart())
        .containsExactly("[http] listen = 127.0.0.1:2, it stays 127.0.0.1:1");
  }
}
