package dev.recorder.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LockException;
import dev.recorder.testing.RedisServer;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Passwords, rights and certificates. */
class RedisSecurityIT {
  private static final String SECRET = "open-sesame";

  @TempDir private Path folder;

  private static LockException refusal(RedisSettings settings) {
    try (RedisLocks locks =
        new RedisLocks(settings, "one", RedisLockOptions.DEFAULT, Instruments.PLAIN)) {
      Lease lease = locks.lock("job").tryAcquire().orElseThrow();
      lease.close();
      throw new AssertionError("was granted");
    } catch (LockException refused) {
      return refused;
    }
  }

  private static void isGranted(RedisSettings settings) {
    try (RedisLocks locks =
            new RedisLocks(settings, "one", RedisLockOptions.DEFAULT, Instruments.PLAIN);
        Lease lease = locks.lock("job").tryAcquire().orElseThrow()) {
      assertThat(lease.token()).isPositive();
    }
  }

  private static RedisSettings settings(
      int port, @Nullable String user, @Nullable String password, @Nullable SSLContext tls) {
    return new RedisSettings("127.0.0.1", port, user, password, tls, Duration.ofSeconds(2));
  }

  private static void isNotShownBy(LockException failed) {
    StringWriter all = new StringWriter();
    failed.printStackTrace(new PrintWriter(all));
    assertThat(all.toString()).doesNotContain(SECRET);
  }

  @Test
  void aPasswordLetsIn() throws Exception {
    try (RedisServer server = RedisServer.start(Map.of("requirepass", SECRET))) {
      isGranted(settings(server.port(), null, SECRET, null));
      assertThat(refusal(settings(server.port(), null, null, null)).kind())
          .isEqualTo(LockException.Kind.RIGHTS);
      assertThat(refusal(settings(server.port(), null, "wrong", null)).kind())
          .isEqualTo(LockException.Kind.RIGHTS);
      LockException refused = refusal(settings(server.port(), "nobody", SECRET, null));
      assertThat(refused.kind()).isEqualTo(LockException.Kind.RIGHTS);
      isNotShownBy(refused);
    }
  }

  @Test
  void aServerThatRepeatsThePasswordInItsErrorIsNotQuoted() throws Exception {
    try (RedisServer server = RedisServer.start(Map.of("rename-command", "AUTH ELSEWHERE"))) {
      LockException refused = refusal(settings(server.port(), null, SECRET, null));

      isNotShownBy(refused);
    }
  }

  @Test
  void aUserThatLacksARightIsTold() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      server.ask("ACL", "SETUSER", "reader", "on", ">" + SECRET, "~*", "+get", "+client|setname");

      LockException refused = refusal(settings(server.port(), "reader", SECRET, null));

      assertThat(refused.kind()).isEqualTo(LockException.Kind.RIGHTS);
      isNotShownBy(refused);
    }
  }

  @Test
  void aCertificateMustBeTrustedAndNameTheHost() throws Exception {
    KeyStore right = certificate("right", "ip:127.0.0.1");
    KeyStore wrong = certificate("wrong", "dns:elsewhere.example");
    try (RedisServer server = tlsServer("right", right)) {
      isGranted(settings(tlsPort(server), null, null, trusting(right)));
      assertThat(refusal(settings(tlsPort(server), null, null, trusting(wrong))).kind())
          .isEqualTo(LockException.Kind.UNREACHABLE);
    }
    try (RedisServer server = tlsServer("wrong", wrong)) {
      assertThat(refusal(settings(tlsPort(server), null, null, trusting(wrong))))
          .hasMessageContaining("No subject alternative names");
    }
  }

  @Test
  void aServerWithoutTlsIsNotTalkedTo() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      LockException refused =
          refusal(settings(server.port(), null, SECRET, SSLContext.getDefault()));

      assertThat(refused.kind()).isEqualTo(LockException.Kind.UNREACHABLE);
      assertThat(server.ask("DBSIZE")).isEqualTo(0L);
    }
  }

  private int tlsPort(RedisServer server) {
    return Integer.parseInt(
        server.ask("CONFIG", "GET", "tls-port").toString().replaceAll("\\D", ""));
  }

  private RedisServer tlsServer(String name, KeyStore store) throws Exception {
    char[] password = SECRET.toCharArray();
    Map<String, String> settings = new HashMap<>();
    settings.put("tls-port", Integer.toString(freePort()));
    settings.put("tls-auth-clients", "no");
    settings.put(
        "tls-cert-file", pem(name, "CERTIFICATE", store.getCertificate("key").getEncoded()));
    settings.put(
        "tls-key-file", pem(name, "PRIVATE KEY", store.getKey("key", password).getEncoded()));
    settings.put("tls-ca-cert-file", settings.get("tls-cert-file"));
    return RedisServer.start(settings);
  }

  private static int freePort() throws Exception {
    try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private String pem(String name, String kind, byte[] content) throws Exception {
    Path file = folder.resolve(name + "-" + kind.replace(' ', '-') + ".pem");
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n");
    return file.toString();
  }

  private KeyStore certificate(String name, String subjectAlternative) throws Exception {
    Path file = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "key",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=" + subjectAlternative,
                "-storepass",
                SECRET,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, SECRET.toCharArray());
    }
    return store;
  }

  private static SSLContext trusting(KeyStore store) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", store.getCertificate("key"));
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }
}
