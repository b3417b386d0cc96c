package dev.recorder.s3;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.time.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * Tokens: passwords for a login to RDS by IAM. A token is a signed request to connect, which the
 * server accepts for 15 minutes. Only the login needs the token; a session outlives it.
 * Thread-safe.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/UsingWithRDS.IAMDBAuth.html">IAM
 *     database authentication</a>
 */
public final class RdsTokens implements Supplier<String> {
  /** The longest validity that RDS accepts. */
  private static final Duration VALID = Duration.ofMinutes(15);

  /**
   * How long a token is reused. The back-off of refused logins depends on the password, so the
   * token must not change with each login.
   */
  private static final Duration KEPT = Duration.ofMinutes(10);

  private final String host;
  private final int port;
  private final String user;
  private final String region;
  private final AwsCredentialsProvider credentials;
  private final Ticker ticker;
  private final @Nullable Clock clock;

  @GuardedBy("this")
  private @Nullable String token;

  @GuardedBy("this")
  private long signed;

  /** Makes tokens that are signed with the credentials of the SDK's default chain. */
  public RdsTokens(String host, int port, String user, String region) {
    this(
        new Login(host, port, user, region),
        DefaultCredentialsProvider.builder().build(),
        Ticker.system(),
        null);
  }

  /** The server and the role of a login. */
  record Login(String host, int port, String user, String region) {}

  /** Makes tokens with a clock, for tests; null for the SDK's own clock. */
  RdsTokens(Login login, AwsCredentialsProvider credentials, Ticker ticker, @Nullable Clock clock) {
    this.host = login.host();
    this.port = login.port();
    this.user = login.user();
    this.region = login.region();
    this.credentials = credentials;
    this.ticker = ticker;
    this.clock = clock;
  }

  /**
   * Returns a token that is valid for at least five minutes.
   *
   * @throws NoPasswordException if there are no credentials to sign it
   */
  @Override
  public synchronized String get() {
    long now = ticker.nanos();
    String last = token;
    if (last == null || now - signed >= KEPT.toNanos()) {
      last = sign();
      token = last;
      signed = now;
    }
    return last;
  }

  private String sign() {
    AwsCredentialsIdentity identity;
    try {
      identity = credentials.resolveCredentials();
    } catch (SdkException none) {
      throw NoPasswordException.withoutCredentials("password = rds-iam", none);
    }
    SdkHttpRequest request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.GET)
            .protocol("https")
            .host(host)
            .port(port)
            .encodedPath("/")
            .putRawQueryParameter("Action", "connect")
            .putRawQueryParameter("DBUser", user)
            .build();
    SignedRequest connect =
        AwsV4HttpSigner.create()
            .sign(
                sign -> {
                  sign.identity(identity)
                      .request(request)
                      .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "rds-db")
                      .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                      .putProperty(AwsV4HttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
                      .putProperty(AwsV4HttpSigner.EXPIRATION_DURATION, VALID);
                  if (clock != null) {
                    sign.putProperty(HttpSigner.SIGNING_CLOCK, clock);
                  }
                });
    return connect.request().getUri().toString().substring("https://".length());
  }
}
