package dev.recorder.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.recorder.app.http.PlainServers;
import dev.recorder.s3.S3ObjectStore;
import dev.recorder.s3.S3Settings;
import dev.recorder.store.ObjectStore.AlreadyThere;
import dev.recorder.store.ObjectStore.PutAnswer;
import dev.recorder.store.ObjectStore.Unclear;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.HttpTap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where the SDK's default chain has credentials from, with the jars that the daemon comes with. */
@Timeout(300)
class CredentialsIT {
  @TempDir private Path folder;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Map<String, String> before = new HashMap<>();
  private HttpServer tokens;
  private HttpTap store;

  @BeforeEach
  void start() throws IOException {
    tokens = PlainServers.create();
    tokens.createContext("/", this::grant);
    tokens.start();
    store = HttpTap.to(tokens.getAddress().getPort());
    store.onRequest(request -> Fault.answer(412, "PreconditionFailed"));
    set("aws.endpointUrlSts", "http://127.0.0.1:" + tokens.getAddress().getPort());
    set("aws.region", "eu-central-1");
    set("aws.disableEc2Metadata", "true");
    set("aws.configFile", folder.resolve("config").toString());
    set("aws.sharedCredentialsFile", folder.resolve("credentials").toString());
    // left by an S3 server of another test, and first in the chain
    for (String key : List.of("aws.accessKeyId", "aws.secretAccessKey", "aws.sessionToken")) {
      set(key, "");
      System.clearProperty(key);
    }
  }

  @AfterEach
  void stop() {
    tokens.stop(0);
    store.close();
    before.forEach(
        (name, value) -> {
          if (value.isEmpty()) {
            System.clearProperty(name);
          } else {
            System.setProperty(name, value);
          }
        });
  }

  private void set(String name, String value) {
    String was = System.setProperty(name, value);
    before.putIfAbsent(name, was == null ? "" : was);
  }

  /** As AWS's security token service does. */
  private void grant(HttpExchange exchange) throws IOException {
    String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    asked.add(request);
    String action = request.replaceFirst("(?s).*Action=(\\w+).*", "$1");
    byte[] answer =
        """
        <%1$sResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><%1$sResult><Credentials>
        <AccessKeyId>GIVEN-KEY</AccessKeyId><SecretAccessKey>given-secret</SecretAccessKey>
        <SessionToken>given-token</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>
        </Credentials></%1$sResult></%1$sResponse>\
        """
            .formatted(action)
            .getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  /** As in a cluster that gives each of its programs a token. */
  @Test
  void aWebIdentityTokenIsExchangedForCredentials() throws Exception {
    set("aws.webIdentityTokenFile", write("token", "the-token").toString());
    set("aws.roleArn", "arn:aws:iam::123456789012:role/recorder");

    assertThat(put()).isInstanceOf(AlreadyThere.class);

    assertThat(asked).singleElement().asString().contains("WebIdentityToken=the-token");
    assertSignedWithWhatWasGiven();
  }

  @Test
  void aProfileMayNameARole() throws Exception {
    write(
        "config",
        """
        [profile recorder]
        role_arn = arn:aws:iam::123456789012:role/recorder
        source_profile = base
        region = eu-central-1
        """);
    write(
        "credentials",
        """
        [base]
        aws_access_key_id = BASE-KEY
        aws_secret_access_key = base-secret
        """);
    set("aws.profile", "recorder");

    assertThat(put()).isInstanceOf(AlreadyThere.class);

    assertThat(asked).singleElement().asString().contains("Action=AssumeRole&");
    assertSignedWithWhatWasGiven();
  }

  /** The token itself is in a folder of the user's own, where there is none. */
  @Test
  void aProfileOfSingleSignOnIsRead() throws Exception {
    write(
        "config",
        """
        [profile recorder]
        sso_session = company
        sso_account_id = 123456789012
        sso_role_name = recorder
        [sso-session company]
        sso_region = eu-central-1
        sso_start_url = https://127.0.0.1:9/start-of-nobody
        """);
    set("aws.profile", "recorder");

    assertThat(((Unclear) put()).reason())
        .contains("no AWS credentials found", "tried: ProfileCredentialsProvider", "SSO session")
        .doesNotContain("class path");
  }

  @Test
  void whatWasSetUpAndGivesNoneIsNamed() throws Exception {
    set("aws.webIdentityTokenFile", folder.resolve("absent").toString());
    set("aws.roleArn", "arn:aws:iam::123456789012:role/recorder");

    assertThat(((Unclear) put()).reason())
        .contains(
            "no AWS credentials found", "tried: WebIdentityTokenFileCredentialsProvider", "absent")
        .doesNotContain("SystemProperty", "EnvironmentVariable", "Profile");
  }

  private void assertSignedWithWhatWasGiven() {
    assertThat(store.requests())
        .singleElement()
        .satisfies(
            request -> {
              assertThat(request.header("authorization").orElseThrow()).contains("GIVEN-KEY/");
              assertThat(request.header("x-amz-security-token")).hasValue("given-token");
            });
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private PutAnswer put() {
    S3Settings settings =
        S3Settings.of("eu-central-1", "bucket")
            .endpoint(store.endpoint().toString())
            .pathStyle(true)
            .build();
    try (S3ObjectStore bucket = S3ObjectStore.open(settings)) {
      return bucket.putIfAbsent("prefix/name/key", new byte[10], Map.of());
    }
  }
}
