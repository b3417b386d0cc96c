package dev.recorder.app.cli.setup;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The texts that {@code recorder init} writes, from templates among the resources. */
final class SiteFiles {
  /** The name that each host's file has beside it; the first line is the password. */
  static final String PASSWORD = "db-password";

  static final String CERTIFICATES = "db-ca.pem";

  private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");

  private final SiteAnswers site;

  SiteFiles(SiteAnswers site) {
    this.site = site;
  }

  /**
   * A host's configuration. The recorders' primaries are spread over the hosts.
   *
   * @param host the number of the host, from 0 on
   */
  String config(int host) {
    String sections =
        IntStream.range(0, site.recorders().size())
            .mapToObj(recorder -> section(recorder, host))
            .collect(Collectors.joining("\n"));
    return fill(
            "host.ini",
            Map.of(
                "host", site.hosts().get(host),
                "endpoint", site.endpoint(),
                "database", site.database(),
                "user", site.user(),
                "password", password(),
                "tls", tls(),
                "region", site.region(),
                "bucket", site.bucket(),
                "prefix", site.prefix().isEmpty() ? ";prefix =" : "prefix = " + site.prefix(),
                "s3_endpoint",
                    site.s3Endpoint() == null ? "" : "endpoint = " + site.s3Endpoint() + "\n"))
        + sections;
  }

  private String password() {
    return site.tokens()
        ? "password = rds-iam\nregion = " + site.region()
        : "password_file = " + PASSWORD;
  }

  private String tls() {
    if (site.certificates() != null) {
      return "sslmode = verify-full\nsslrootcert = " + CERTIFICATES;
    }
    return site.tokens() ? "sslmode = require" : ";sslmode = prefer";
  }

  /** Only the first explains its keys. */
  private String section(int recorder, int host) {
    return fill(
        recorder == 0 ? "recorder.ini" : "another-recorder.ini",
        Map.of(
            "recorder", site.recorders().get(recorder),
            "lockid", Integer.toString(recorder + 1),
            "primary", Boolean.toString(recorder % site.hosts().size() == host)));
  }

  /** What the hosts' role needs at AWS. */
  String iamPolicy() {
    String login =
        """
        ,
            {
              "Sid": "LogInAtTheDatabase",
              "Effect": "Allow",
              "Action": "rds-db:connect",
              "Resource": "arn:aws:rds-db:%s:*:dbuser:*/%s"
            }"""
            .formatted(site.region(), site.user());
    return fill(
        "iam-policy.json",
        Map.of("bucket", site.bucket(), "folder", folder(), "login", site.tokens() ? login : ""));
  }

  /** What makes the store itself refuse to replace or delete an object of a log. */
  String bucketPolicy() {
    return bucketPolicy(
        site.bucket(), site.recorders().stream().map(name -> folder() + name + "/").toList());
  }

  /**
   * The same for logs in any folders.
   *
   * @param folders of the logs, with a slash at the end
   */
  static String bucketPolicy(String bucket, List<String> folders) {
    String logs =
        folders.stream()
            .map(folder -> "        \"arn:aws:s3:::" + bucket + "/" + folder + "*\"")
            .collect(Collectors.joining(",\n"));
    return fill("bucket-policy.json", Map.of("logs", logs));
  }

  private String folder() {
    return site.prefix().isEmpty() ? "" : site.prefix() + "/";
  }

  /** The service of systemd. */
  static String unit() {
    return resource("recorder.service");
  }

  private static String fill(String name, Map<String, String> pieces) {
    return PLACE
        .matcher(resource(name + ".template"))
        .replaceAll(
            place -> Matcher.quoteReplacement(Objects.requireNonNull(pieces.get(place.group(1)))));
  }

  private static String resource(String name) {
    try (InputStream in = Objects.requireNonNull(SiteFiles.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
