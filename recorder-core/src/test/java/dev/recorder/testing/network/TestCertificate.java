package dev.recorder.testing.network;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A certificate that signs itself, and its key.
 *
 * @param certificate a PEM file
 * @param key a PEM file that only its owner may read
 * @param trust a store in which the certificate is all that is trusted
 */
public record TestCertificate(Path certificate, Path key, KeyStore trust) {
  private static final String ALIAS = "key";
  private static final String PASSWORD = "open-sesame";

  /**
   * Makes one, with {@code keytool}.
   *
   * @param folder for its files
   * @param subjectAlternative as {@code ip:127.0.0.1}
   */
  public static TestCertificate create(Path folder, String name, String subjectAlternative)
      throws IOException, GeneralSecurityException, InterruptedException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(generated(folder, name, subjectAlternative))) {
      store.load(in, PASSWORD.toCharArray());
    }
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry("server", store.getCertificate(ALIAS));
    byte[] key = store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded();
    return new TestCertificate(
        pem(folder, name, "CERTIFICATE", store.getCertificate(ALIAS).getEncoded()),
        pem(folder, name, "PRIVATE KEY", key),
        trust);
  }

  private static Path generated(Path folder, String name, String subjectAlternative)
      throws IOException, InterruptedException {
    Path file = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=" + subjectAlternative,
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException("keytool failed: " + said);
    }
    return file;
  }

  private static Path pem(Path folder, String name, String kind, byte[] content)
      throws IOException {
    Path file = folder.resolve(name + "-" + kind.replace(' ', '-') + ".pem");
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }
}
