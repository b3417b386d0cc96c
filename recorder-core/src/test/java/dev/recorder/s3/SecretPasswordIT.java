package dev.recorder.s3;

import static dev.recorder.testing.servers.SecretsServer.ARN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.s3.NoPasswordException.NoPasswordKind;
import dev.recorder.testing.network.Ports;
import dev.recorder.testing.servers.SecretsServer;
import dev.recorder.testing.servers.SecretsServer.SecretRequest;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/** The password in a secret, by a server that answers as AWS Secrets Manager does. */
@Timeout(300)
class SecretPasswordIT {
  private static final Pattern AUTHORIZATION =
      Pattern.compile(
          "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/(\\S+), SignedHeaders=(\\S+), Signature=(\\S+)");

  private static final AtomicLong NANOS = new AtomicLong();

  private static final AwsCredentialsProvider KEYS =
      StaticCredentialsProvider.create(AwsSessionCredentials.create("AKIDEXAMPLE", "key", "token"));

  private SecretsServer server;
  private SecretPassword password;

  @BeforeEach
  void start() throws IOException {
    server = new SecretsServer();
    password = at(server.endpoint(), KEYS);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static SecretPassword at(URI endpoint, AwsCredentialsProvider credentials) {
    return new SecretPassword(ARN, "recorder", endpoint, credentials, NANOS::get);
  }

  @Test
  void isReadByOneRequestThatIsSignedForTheServiceAndTheSecretsRegion()
      throws GeneralSecurityException {
    server.holds("one");

    assertThat(password.get()).isEqualTo("one");

    assertThat(server.requests()).hasSize(1);
    SecretRequest request = server.requests().get(0);
    assertThat(request.method() + " " + request.path()).isEqualTo("POST /");
    assertThat(request.body()).isEqualTo("{\"SecretId\":\"" + ARN + "\"}");
    assertThat(request.headers())
        .containsEntry("x-amz-target", "secretsmanager.GetSecretValue")
        .containsEntry("content-type", "application/x-amz-json-1.1")
        .containsEntry("x-amz-security-token", "token");
    assertSigned(request);
  }

  private static void assertSigned(SecretRequest request) throws GeneralSecurityException {
    Map<String, String> headers = request.headers();
    Matcher found = AUTHORIZATION.matcher(headers.get("authorization"));
    assertThat(found.matches()).as(headers.get("authorization")).isTrue();
    String time = headers.get("x-amz-date");
    String scope = time.substring(0, 8) + "/eu-central-1/secretsmanager/aws4_request";
    assertThat(found.group(1)).isEqualTo(scope);
    assertThat(found.group(2).split(";")).contains("host", "x-amz-date", "x-amz-target");
    String signed =
        Arrays.stream(found.group(2).split(";"))
            .map(name -> name + ":" + headers.get(name) + "\n")
            .collect(Collectors.joining());
    String canonical =
        "POST\n/\n\n" + signed + "\n" + found.group(2) + "\n" + SignatureV4.sha256(request.body());
    assertThat(found.group(3)).isEqualTo(SignatureV4.of(canonical, time, scope, "key"));
  }

  @Test
  void isTheMemberOfAnObjectAsRdsWritesItOrTheWholeText() {
    server.holds("{\"username\":\"recorder\",\"password\":\"a\\\"b\"}");
    assertThat(password.get()).isEqualTo("a\"b");
    server.holds("{\"password\":\"c\"}");
    assertThat(password.get()).isEqualTo("c");
    server.holds("123\n");
    assertThat(password.get()).isEqualTo("123");
  }

  @Test
  void isReadAgainEachTimeAndTheLastOneCountsWhileItCannotBe() {
    server.holds("one");
    assertThat(password.get()).isEqualTo("one");
    assertThat(password.remedy()).contains("the password that secret = " + ARN + " holds");
    server.holds("two");
    assertThat(password.get()).isEqualTo("two");

    server.refuses(400, "AccessDeniedException", "not authorized");
    assertThat(password.get()).isEqualTo("two");
    assertThat(password.remedy())
        .contains("an earlier password of role recorder, as secret = " + ARN)
        .contains("allow secretsmanager:GetSecretValue on it");

    server.holds("three");
    assertThat(password.get()).as("nobody waits for it again at once").isEqualTo("two");
    NANOS.addAndGet(Duration.ofSeconds(11).toNanos());
    assertThat(password.get()).isEqualTo("three");
    assertThat(password.remedy()).doesNotContain("an earlier password");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | AccessDeniedException | User: arn:aws:sts::1:role/r is not authorized to perform:"
            + " secretsmanager:GetSecretValue | RIGHTS | allow secretsmanager:GetSecretValue on it",
        "400 | AccessDeniedException | Access to KMS is not allowed | RIGHTS | allow kms:Decrypt",
        "400 | DecryptionFailure | no | RIGHTS | allow kms:Decrypt on the key that encrypts it",
        "400 | com.amazonaws.secretsmanager#ResourceNotFoundException | can't find the specified"
            + " secret. | SETTING | correct the ARN, or restore the secret",
        "400 | InvalidRequestException | it was marked for deletion. | SETTING | restore the secret",
        "400 | UnrecognizedClientException | no | RIGHTS | check the AWS credentials",
        "400 | ExpiredTokenException | no | RIGHTS | their token has expired",
        "400 | InvalidSignatureException | Signature expired | RIGHTS | set this host's clock",
        "400 | ThrottlingException | Rate exceeded | PASSING | Rate exceeded",
        "500 | InternalServiceError | no | PASSING | HTTP 500",
      })
  void aRefusalIsOneSentenceWithTheRemedy(
      int status, String type, String message, NoPasswordKind kind, String remedy) {
    server.refuses(status, type, message);

    refused(password, kind)
        .withMessageStartingWith("secret = " + ARN + " cannot be read: HTTP " + status)
        .withMessageContaining(remedy)
        .withMessageNotContaining("\n");
  }

  @Test
  void somethingElseThatAnswersIsToldApart() {
    server.answer(404, "<html>no</html>");

    refused(password, NoPasswordKind.SETTING)
        .withMessageContaining("HTTP 404; correct secret_endpoint");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"password\":\"\"}", "", "\n"})
  void aSecretWithoutAPasswordIsNamed(String text) {
    server.holds(text);

    refused(password, NoPasswordKind.SETTING).withMessageContaining("it holds no password; write");
  }

  @Test
  void bytesAreNoPassword() {
    server.answer(200, "{\"SecretBinary\":\"AAEC\"}");

    refused(password, NoPasswordKind.SETTING).withMessageContaining("it holds no text");
  }

  @Test
  void thePasswordOfAnotherRoleIsNotTriedAndNotShown() {
    server.holds("{\"username\":\"recorder_clone\",\"password\":\"hunter2\"}");

    refused(password, NoPasswordKind.SETTING)
        .withMessageContaining("the password of recorder_clone, and user is recorder; name the")
        .withMessageNotContaining("hunter2");
  }

  @Test
  void withoutAnAnswerItSaysWhatToOpen() throws IOException {
    SecretPassword nowhere = at(URI.create("http://127.0.0.1:" + Ports.free()), KEYS);

    refused(nowhere, NoPasswordKind.PASSING)
        .withMessageContaining("no answer of http://127.0.0.1:")
        .withMessageContaining("let this host reach it, as by a VPC endpoint");
  }

  @Test
  void withoutCredentialsItSaysWhatToGive() {
    AwsCredentialsProvider none =
        () -> {
          throw SdkClientException.create("Unable to load credentials");
        };

    refused(at(server.endpoint(), none), NoPasswordKind.RIGHTS)
        .withMessageContaining("finds no AWS credentials: give the host a role");
    assertThat(server.requests()).isEmpty();
  }

  private static ThrowableAssertAlternative<NoPasswordException> refused(
      SecretPassword password, NoPasswordKind kind) {
    assertThatThrownBy(password::get)
        .isInstanceOfSatisfying(
            NoPasswordException.class, none -> assertThat(none.kind()).isEqualTo(kind));
    return assertThatExceptionOfType(NoPasswordException.class).isThrownBy(password::get);
  }
}
