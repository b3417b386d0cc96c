package dev.recorder.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

class RdsTokensTest {
  private static final String HOST = "db.abc.eu-central-1.rds.amazonaws.com";
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-28T08:00:00Z"), ZoneOffset.UTC);
  private static final AwsCredentialsProvider KEYS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("AKIDEXAMPLE", "secret"));

  private final AtomicLong nanos = new AtomicLong();

  private RdsTokens tokens(AwsCredentialsProvider credentials) {
    return new RdsTokens(
        new RdsTokens.Login(HOST, 5432, "the recorder", "eu-central-1"),
        credentials,
        nanos::get,
        CLOCK);
  }

  /** By the description of the signature's version 4, without the SDK. */
  @Test
  void isARequestToConnectThatIsSignedForAQuarterOfAnHour() throws GeneralSecurityException {
    String query =
        "Action=connect&DBUser=the%20recorder"
            + "&X-Amz-Algorithm=AWS4-HMAC-SHA256"
            + "&X-Amz-Credential=AKIDEXAMPLE%2F20261128%2Feu-central-1%2Frds-db%2Faws4_request"
            + "&X-Amz-Date=20261128T080000Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host";
    String canonical =
        "GET\n/\n" + query + "\nhost:" + HOST + ":5432\n\nhost\n" + SignatureV4.sha256("");
    String signature =
        SignatureV4.of(
            canonical, "20261128T080000Z", "20261128/eu-central-1/rds-db/aws4_request", "secret");
    String token = tokens(KEYS).get();
    assertThat(token).startsWith(HOST + ":5432/?");
    assertThat(token.substring(token.indexOf('?') + 1).split("&"))
        .containsExactlyInAnyOrder((query + "&X-Amz-Signature=" + signature).split("&"));
  }

  @Test
  void staysTheSameForTenMinutesSoThatRefusedLoginsBackOff() {
    RdsTokens tokens = tokens(KEYS);
    String first = tokens.get();
    nanos.addAndGet(Duration.ofMinutes(10).toNanos() - 1);
    assertThat(tokens.get()).isSameAs(first);
    nanos.addAndGet(1);
    assertThat(tokens.get()).isNotSameAs(first);
  }

  @Test
  void withoutCredentialsItSaysWhatToGive() {
    AwsCredentialsProvider none =
        () -> {
          throw SdkClientException.create("Unable to load credentials");
        };
    assertThatThrownBy(tokens(none)::get)
        .isInstanceOf(NoPasswordException.class)
        .hasMessageContaining("password = rds-iam finds no AWS credentials: give the host a role");
  }
}
