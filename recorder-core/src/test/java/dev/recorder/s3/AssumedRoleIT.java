package dev.recorder.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.recorder.store.ObjectStore.Created;
import dev.recorder.store.ObjectStore.PutAnswer;
import dev.recorder.store.ObjectStore.RefusalCause;
import dev.recorder.store.ObjectStore.Unclear;
import dev.recorder.testing.network.HttpTap;
import dev.recorder.testing.servers.S3Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A role of another account, by a server that answers as STS does. */
@Timeout(300)
class AssumedRoleIT {
  private static final String ARN = "arn:aws:iam::123456789012:role/recorder";
  private static S3Server server;

  private final HttpTap tap = HttpTap.to(server.port());
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private HttpServer sts;
  private volatile int status = 200;
  private volatile String answer = granted(Duration.ofHours(1));

  @BeforeAll
  static void start() {
    server = S3Server.startTrusting();
    server.createBucket("bucket");
    System.setProperty("aws.accessKeyId", "key-of-the-host");
    System.setProperty("aws.secretAccessKey", "secret");
  }

  @AfterAll
  static void stop() throws Exception {
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
    server.close();
  }

  @BeforeEach
  void startSts() throws IOException {
    sts = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    sts.createContext("/", this::answer);
    sts.start();
  }

  @AfterEach
  void stopSts() {
    sts.stop(0);
    tap.close();
  }

  @Test
  void theStoreIsAskedWithTheRolesCredentialsOfWhichOneSetLasts() {
    assertThat(puts(2)).hasOnlyElementsOfType(Created.class);

    assertThat(asked).hasSize(1);
    assertThat(asked.get(0))
        .contains("Action=AssumeRole", "ExternalId=a%2Fb", "RoleSessionName=host-a")
        .contains("RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Frecorder");
    assertThat(tap.requests())
        .filteredOn(request -> request.method().equals("PUT"))
        .hasSize(2)
        .allSatisfy(
            put -> {
              assertThat(put.header("authorization").orElse("")).contains("Credential=key-of-role");
              assertThat(put.header("x-amz-security-token")).contains("token-of-role");
            });
  }

  @Test
  void credentialsThatExpireSoonAreRenewed() {
    answer = granted(Duration.ofSeconds(30));

    assertThat(puts(2)).hasOnlyElementsOfType(Created.class);

    assertThat(asked).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void aRefusalNamesTheRoleAndTheAction() {
    status = 403;
    answer =
        refused(
            "AccessDenied",
            "User: arn:aws:iam::1:user/u is not authorized to perform: sts:AssumeRole on resource: "
                + ARN);

    Unclear unclear = (Unclear) puts(1).get(0);

    assertThat(unclear.cause()).isEqualTo(RefusalCause.RIGHTS);
    assertThat(unclear.reason())
        .contains("role_arn: the role could not be assumed: HTTP 403 AccessDenied", ARN)
        .contains("allow sts:AssumeRole on it to this host's credentials")
        .contains("external_id");
    assertThat(tap.requests()).isEmpty();
  }

  @Test
  void whatIsNoRoleIsASetting() {
    status = 400;
    answer = refused("ValidationError", "no such role");

    assertThat(((Unclear) puts(1).get(0)).cause()).isEqualTo(RefusalCause.SETTING);
  }

  @Test
  void aServerWithoutAnAnswerMayHaveOneLater() {
    status = 503;
    answer = refused("ServiceUnavailable", "later");

    assertThat(((Unclear) puts(1).get(0)).remediable()).isTrue();
  }

  private List<PutAnswer> puts(int number) {
    S3Settings settings =
        S3Settings.of(S3Server.REGION, "bucket")
            .endpoint(tap.endpoint().toString())
            .pathStyle(true)
            .build();
    URI endpoint = URI.create("http://127.0.0.1:" + sts.getAddress().getPort());
    List<PutAnswer> answers = new CopyOnWriteArrayList<>();
    try (AssumedRole role =
            new AssumedRole(settings, new S3Settings.AwsRole(ARN, "a/b", "host-a"), endpoint);
        S3ObjectStore store = S3ObjectStore.open(settings, role)) {
      for (int put = 0; put < number; put++) {
        String key = "prefix/orders/" + System.nanoTime();
        answers.add(store.putIfAbsent(key, "x".getBytes(UTF_8), Map.of()));
      }
    }
    return answers;
  }

  private void answer(HttpExchange exchange) throws IOException {
    asked.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
    byte[] body = answer.getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "text/xml");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static String granted(Duration lasts) {
    return """
        <AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
        <AssumedRoleUser><Arn>%s</Arn><AssumedRoleId>A:host-a</AssumedRoleId></AssumedRoleUser>
        <Credentials><AccessKeyId>key-of-role</AccessKeyId><SecretAccessKey>s</SecretAccessKey>
        <SessionToken>token-of-role</SessionToken><Expiration>%s</Expiration></Credentials>
        </AssumeRoleResult></AssumeRoleResponse>
        """
        .formatted(ARN, Instant.now().plus(lasts));
  }

  private static String refused(String code, String message) {
    return "<ErrorResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><Error><Code>"
        + code
        + "</Code><Message>"
        + message
        + "</Message></Error></ErrorResponse>";
  }
}
