package dev.recorder.lock.redis;

import static dev.recorder.lock.Leases.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LockException;
import dev.recorder.lock.LockException.Kind;
import dev.recorder.testing.network.Ports;
import dev.recorder.testing.network.TestCertificate;
import dev.recorder.testing.servers.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
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

  private static void isGranted(RedisSettings settings) {
    RedisLockOptions options = RedisLockOptions.DEFAULT.withExpiry(Duration.ofMinutes(2));
    try (RedisLocks locks = new RedisLocks(settings, "one", options, Instruments.PLAIN);
        Lease lease = take(locks.lock("job"))) {
      assertThat(lease.token()).isPositive();
    }
  }

  /** What is said instead of granting it, which is not the password. */
  private static LockException refusal(RedisSettings settings) {
    LockException refused = catchThrowableOfType(LockException.class, () -> isGranted(settings));
    StringWriter all = new StringWriter();
    refused.printStackTrace(new PrintWriter(all));
    assertThat(all.toString()).doesNotContain(SECRET);
    return refused;
  }

  private static RedisSettings settings(
      int port, @Nullable String user, @Nullable String password, @Nullable SSLContext tls) {
    return RedisSettings.of("127.0.0.1", port)
        .user(user)
        .password(password)
        .tls(tls)
        .timeout(Duration.ofSeconds(30))
        .build();
  }

  @Test
  void aPasswordLetsIn() throws Exception {
    try (RedisServer server = RedisServer.start(Map.of("requirepass", SECRET))) {
      isGranted(settings(server.port(), null, SECRET, null));
      assertThat(refusal(settings(server.port(), null, null, null)).kind()).isEqualTo(Kind.RIGHTS);
      assertThat(refusal(settings(server.port(), null, "wrong", null)).kind())
          .isEqualTo(Kind.RIGHTS);
      assertThat(refusal(settings(server.port(), "nobody", SECRET, null)).kind())
          .isEqualTo(Kind.RIGHTS);
    }
  }

  @Test
  void aServerThatRepeatsThePasswordInItsErrorIsNotQuoted() throws Exception {
    try (RedisServer server = RedisServer.start(Map.of("rename-command", "AUTH ELSEWHERE"))) {
      assertThat(refusal(settings(server.port(), null, SECRET, null))).isNotNull();
    }
  }

  @Test
  void aUserThatLacksARightIsTold() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      server.ask("ACL", "SETUSER", "reader", "on", ">" + SECRET, "~*", "+get", "+client|setname");

      assertThat(refusal(settings(server.port(), "reader", SECRET, null)).kind())
          .isEqualTo(Kind.RIGHTS);
    }
  }

  @Test
  void aCertificateMustBeTrustedAndNameTheHost() throws Exception {
    TestCertificate right = certificate("right", "ip:127.0.0.1");
    TestCertificate wrong = certificate("wrong", "dns:elsewhere.example");
    try (RedisServer server = tlsServer(right)) {
      isGranted(settings(tlsPort(server), null, null, trusting(right)));
      assertThat(refusal(settings(tlsPort(server), null, null, trusting(wrong))).kind())
          .isEqualTo(Kind.UNREACHABLE);
    }
    try (RedisServer server = tlsServer(wrong)) {
      assertThat(refusal(settings(tlsPort(server), null, null, trusting(wrong))))
          .hasMessageContaining("No subject alternative names");
    }
  }

  @Test
  void aServerWithoutTlsIsNotTalkedTo() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      LockException refused =
          refusal(settings(server.port(), null, SECRET, SSLContext.getDefault()));

      assertThat(refused.kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(server.ask("DBSIZE")).isEqualTo(0L);
    }
  }

  private int tlsPort(RedisServer server) {
    return Integer.parseInt(
        server.ask("CONFIG", "GET", "tls-port").toString().replaceAll("\\D", ""));
  }

  private static RedisServer tlsServer(TestCertificate certificate) throws Exception {
    String file = certificate.certificate().toString();
    return RedisServer.start(
        Map.of(
            "tls-port",
            Integer.toString(Ports.free()),
            "tls-auth-clients",
            "no",
            "tls-cert-file",
            file,
            "tls-key-file",
            certificate.key().toString(),
            "tls-ca-cert-file",
            file));
  }

  private TestCertificate certificate(String name, String subjectAlternative) throws Exception {
    return TestCertificate.create(folder, name, subjectAlternative);
  }

  private static SSLContext trusting(TestCertificate certificate) throws Exception {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(certificate.trust());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }
}
