package dev.recorder.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.recorder.s3.NoPasswordException.NoPasswordKind;
import dev.recorder.time.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.regions.PartitionMetadata;
import software.amazon.awssdk.regions.Region;

/**
 * The password in a secret of AWS Secrets Manager. It is read for each login, so that a rotation
 * needs no restart. While it cannot be read, the last password is used, as with a password file.
 * The SDK's client for the service is not shipped, since one signed request is enough. Thread-safe.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html">
 *     GetSecretValue</a>
 */
public final class SecretPassword implements Supplier<String> {
  private static final String SERVICE = "secretsmanager";

  /**
   * The time limit of connecting, and of each wait for bytes. The opening of a session waits for
   * it.
   */
  private static final Duration LIMIT = Duration.ofSeconds(3);

  /** The most bytes of an answer. A secret has at most 64 KiB, and each byte may be escaped. */
  private static final int MAX_ANSWER_BYTES = 1 << 20;

  /** The pause after a failed read, so that not each opening of a session waits for the secret. */
  private static final Duration PAUSE = Duration.ofSeconds(10);

  /** The most characters of the service's message that are shown. */
  private static final int MOST_SAID = 500;

  private static final int TOO_MANY_REQUESTS = 429;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String arn;
  private final String user;
  private final URI endpoint;
  private final AwsCredentialsProvider credentials;

  private volatile @Nullable LastRead last;

  private final Ticker ticker;

  /**
   * @param unread why the last read failed; empty if it succeeded
   * @param at when the last read ended
   */
  private record LastRead(String password, String unread, long at) {}

  /**
   * Reads with the credentials of the SDK's default chain.
   *
   * @param user the database role to which the password belongs
   * @param endpoint null for the endpoint of the secret's region
   */
  public SecretPassword(String arn, String user, @Nullable URI endpoint) {
    this(arn, user, endpoint, DefaultCredentialsProvider.builder().build(), Ticker.system());
  }

  /** Reads with other credentials and another clock, for tests. */
  SecretPassword(
      String arn,
      String user,
      @Nullable URI endpoint,
      AwsCredentialsProvider credentials,
      Ticker ticker) {
    this.ticker = ticker;
    this.arn = arn;
    this.user = user;
    this.endpoint = endpoint == null ? ofRegion(region(arn)) : endpoint;
    this.credentials = credentials;
  }

  private static String region(String arn) {
    return arn.split(":", -1)[3];
  }

  private static URI ofRegion(String region) {
    String suffix = PartitionMetadata.of(Region.of(region)).dnsSuffix();
    return URI.create("https://" + SERVICE + "." + region + "." + suffix);
  }

  /**
   * Returns the present password; for ten seconds after a failed read, the last one.
   *
   * @throws NoPasswordException if the secret cannot be read and never was
   */
  @Override
  public String get() {
    LastRead before = last;
    if (before != null
        && !before.unread().isEmpty()
        && ticker.nanos() - before.at() < PAUSE.toNanos()) {
      return before.password();
    }
    try {
      String password = password(read());
      last = new LastRead(password, "", ticker.nanos());
      return password;
    } catch (NoPasswordException none) {
      if (before == null) {
        throw none;
      }
      last = new LastRead(before.password(), String.valueOf(none.getMessage()), ticker.nanos());
      return before.password();
    }
  }

  /** Returns why a server may refuse the password, and the remedy. */
  public String remedy() {
    LastRead read = last;
    return read == null || read.unread().isEmpty()
        ? "this is the password that secret = %s holds: give it to role %s, or the role's to the secret"
            .formatted(arn, user)
        : "this is an earlier password of role " + user + ", as " + read.unread();
  }

  private JsonNode read() {
    byte[] body = JSON.createObjectNode().put("SecretId", arn).toString().getBytes(UTF_8);
    HttpExecuteRequest request = signed(body);
    // Made anew for each read: logins are rare, and a permanent client would have to be closed.
    try (SdkHttpClient http =
        Apache5HttpClient.builder().connectionTimeout(LIMIT).socketTimeout(LIMIT).build()) {
      HttpExecuteResponse response = http.prepareRequest(request).call();
      int status = response.httpResponse().statusCode();
      try (InputStream in = response.responseBody().orElseThrow(IOException::new)) {
        JsonNode answer = json(new String(in.readNBytes(MAX_ANSWER_BYTES), UTF_8));
        if (status != 200) {
          throw refused(status, answer);
        }
        return answer;
      }
    } catch (IOException | SdkException failure) {
      throw unread(
          NoPasswordKind.PASSING,
          "no answer of %s (%s); let this host reach it, as by a VPC endpoint or a NAT gateway, or write secret_endpoint"
              .formatted(endpoint, root(failure)),
          failure);
    }
  }

  private HttpExecuteRequest signed(byte[] body) {
    AwsCredentialsIdentity identity;
    try {
      identity = credentials.resolveCredentials();
    } catch (SdkException none) {
      throw NoPasswordException.withoutCredentials("secret = " + arn, none);
    }
    SdkHttpRequest request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.POST)
            .uri(endpoint)
            .encodedPath("/")
            .putHeader("Content-Type", "application/x-amz-json-1.1")
            .putHeader("Content-Length", Integer.toString(body.length))
            .putHeader("X-Amz-Target", SERVICE + ".GetSecretValue")
            .build();
    SignedRequest signed =
        AwsV4HttpSigner.create()
            .sign(
                sign ->
                    sign.identity(identity)
                        .request(request)
                        .payload(ContentStreamProvider.fromByteArray(body))
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, SERVICE)
                        .putProperty(AwsV4HttpSigner.REGION_NAME, region(arn)));
    return HttpExecuteRequest.builder()
        .request(signed.request())
        .contentStreamProvider(signed.payload().orElse(null))
        .build();
  }

  /** Parses JSON. Returns a missing node if the text is not JSON. */
  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException other) {
      return MissingNode.getInstance();
    }
  }

  /**
   * Returns the password in a secret. Secrets that RDS and Secrets Manager write are JSON objects.
   * Another secret may be the password itself.
   */
  private String password(JsonNode answer) {
    JsonNode text = answer.path("SecretString");
    if (!text.isTextual()) {
      throw unread(NoPasswordKind.SETTING, "it holds no text; name a secret that does", null);
    }
    JsonNode members = json(text.asText());
    if (!members.isObject()) {
      return notEmpty(text.asText().stripTrailing());
    }
    String of = members.path("username").asText(user);
    if (!of.equals(user)) {
      throw unread(
          NoPasswordKind.SETTING,
          "it holds the password of %s, and user is %s; name the secret of that role, and have no rotation change roles"
              .formatted(of, user),
          null);
    }
    return notEmpty(members.path("password").asText());
  }

  private String notEmpty(String password) {
    if (password.isEmpty()) {
      throw unread(
          NoPasswordKind.SETTING,
          "it holds no password; write that alone into it, or JSON with a member password",
          null);
    }
    return password;
  }

  private NoPasswordException refused(int status, JsonNode answer) {
    String type = answer.path("__type").asText().replaceFirst(".*#", "");
    String all = answer.path("message").asText(answer.path("Message").asText());
    String said = all.substring(0, Math.min(all.length(), MOST_SAID));
    String why =
        "HTTP "
            + status
            + (type.isEmpty() ? "" : " " + type)
            + (said.isEmpty() ? "" : " (" + said + ")");
    if (status >= 500 || status == TOO_MANY_REQUESTS || type.startsWith("Throttling")) {
      return unread(NoPasswordKind.PASSING, why, null);
    }
    boolean ofKey = said.toLowerCase(Locale.ROOT).contains("kms");
    if (type.equals("DecryptionFailure") || (type.equals("AccessDeniedException") && ofKey)) {
      return unread(
          NoPasswordKind.RIGHTS, why + "; allow kms:Decrypt on the key that encrypts it", null);
    }
    String remedy =
        Map.of(
                "AccessDeniedException", "allow secretsmanager:GetSecretValue on it",
                "UnrecognizedClientException", "check the AWS credentials",
                "ExpiredTokenException", "check the AWS credentials: their token has expired",
                "InvalidSignatureException", "set this host's clock, or check the AWS credentials")
            .get(type);
    return remedy == null
        ? unread(NoPasswordKind.SETTING, why + "; correct " + correctable(type), null)
        : unread(NoPasswordKind.RIGHTS, why + "; " + remedy, null);
  }

  private static String correctable(String type) {
    return type.isEmpty()
        ? "secret_endpoint: this is no answer of Secrets Manager"
        : "the ARN, or restore the secret";
  }

  private NoPasswordException unread(NoPasswordKind kind, String why, @Nullable Throwable failure) {
    return new NoPasswordException(kind, "secret = " + arn + " cannot be read: " + why, failure);
  }

  private static String root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getClass().getSimpleName() + ": " + root.getMessage();
  }
}
