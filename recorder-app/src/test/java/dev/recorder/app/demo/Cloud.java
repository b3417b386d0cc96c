package dev.recorder.app.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.recorder.testing.AtomicReplacement;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;

/**
 * What the quick start finds at AWS, by the same names: the bucket, the hosts' role, and the
 * certificates of RDS. For {@code scripts/try-package}, in a network of its own where those names
 * lead to loopback addresses.
 */
final class Cloud {
  private static final String KEY = "role-access-key";
  private static final String SECRET = "role-secret-key";
  private static final String ROLE = "/latest/meta-data/iam/security-credentials/";

  private Cloud() {}

  /** Arguments: a folder for objects, the bucket, the region, a PKCS 12 file, its password. */
  public static void main(String[] args) throws Exception {
    BlobStore objects =
        new AtomicReplacement(
            new FilesystemNio2BlobStore(Files.createDirectories(Path.of(args[0])).toString()));
    objects.createContainer(args[1]);
    S3Proxy.builder()
        .blobStore(objects)
        .secureEndpoint(URI.create("https://127.0.0.1:443"))
        .keyStore(args[3], args[4])
        .virtualHost("s3." + args[2] + ".amazonaws.com")
        .awsAuthentication(AuthenticationType.AWS_V4, KEY, SECRET)
        .ignoreUnknownHeaders(true) // The token of the role's credentials.
        .build()
        .start();
    serveRole();
    serveCertificates(Path.of(args[3]), args[4].toCharArray());
    System.out.println("ready");
  }

  private static void serveRole() throws IOException {
    HttpServer instance = HttpServer.create(new InetSocketAddress("169.254.169.254", 80), 0);
    Instant ends = Instant.now().plus(6, ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS);
    String credentials =
        """
        {"Code": "Success", "Type": "AWS-HMAC", "AccessKeyId": "%s", "SecretAccessKey": "%s",
         "Token": "token", "LastUpdated": "%s", "Expiration": "%s"}"""
            .formatted(KEY, SECRET, ends.minus(6, ChronoUnit.HOURS), ends);
    instance.createContext("/", call -> answer(call, 404, ""));
    instance.createContext("/latest/api/token", call -> answer(call, 200, "token"));
    instance.createContext(ROLE, call -> answer(call, 200, "recorder"));
    instance.createContext(ROLE + "recorder", call -> answer(call, 200, credentials));
    instance.start();
  }

  private static void serveCertificates(Path file, char[] password) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, password);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), null, null);
    String pem = Files.readString(Path.of(file + ".pem"));
    HttpsServer bundle = HttpsServer.create(new InetSocketAddress("127.0.0.2", 443), 0);
    bundle.setHttpsConfigurator(new HttpsConfigurator(tls));
    bundle.createContext("/global/global-bundle.pem", call -> answer(call, 200, pem));
    bundle.start();
  }

  private static void answer(HttpExchange call, int status, String body) throws IOException {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    call.getResponseHeaders().add("X-Aws-Ec2-Metadata-Token-Ttl-Seconds", "21600");
    call.sendResponseHeaders(status, content.length == 0 ? -1 : content.length);
    try (call) {
      call.getResponseBody().write(content);
    }
  }
}
