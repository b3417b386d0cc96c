package dev.recorder.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** AWS's signature of version 4 by its description, without the SDK. */
final class SignatureV4 {
  private SignatureV4() {}

  /**
   * The signature of a canonical request.
   *
   * @param time such as 20261128T080000Z
   * @param scope such as 20261128/eu-central-1/rds-db/aws4_request
   */
  static String of(String canonical, String time, String scope, String secretKey)
      throws GeneralSecurityException {
    String toSign = "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n" + sha256(canonical);
    byte[] key = ("AWS4" + secretKey).getBytes(UTF_8);
    for (String part : scope.split("/")) {
      key = hmac(key, part);
    }
    return hex(hmac(key, toSign));
  }

  static String sha256(String text) throws GeneralSecurityException {
    return hex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
  }

  private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(UTF_8));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
