package dev.recorder.app.cli.setup;

import static java.util.Map.entry;

import dev.recorder.app.cli.output.TextTemplate;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Fills the templates among the resources with the answers, for {@code recorder init}. */
final class SiteFiles {
  /** The name of the password file beside each host's file. Its first line is the password. */
  static final String PASSWORD = "db-password";

  static final String CERTIFICATES = "db-ca.pem";

  private final SiteAnswers site;

  SiteFiles(SiteAnswers site) {
    this.site = site;
  }

  /**
   * Returns the configuration of a host. The hosts are primary for the recorders in turn.
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
            Map.ofEntries(
                entry("host", site.hosts().get(host)),
                entry("endpoint", site.endpoint()),
                entry("database", site.database()),
                entry("user", site.user()),
                entry("password", password()),
                entry("tls", tls()),
                entry("region", site.region()),
                entry("bucket", site.bucket()),
                entry(
                    "prefix", site.prefix().isEmpty() ? ";prefix =" : "prefix = " + site.prefix()),
                entry(
                    "s3_endpoint",
                    site.s3Endpoint() == null ? "" : "endpoint = " + site.s3Endpoint() + "\n"),
                entry("objects", objects())))
        + sections;
  }

  private String password() {
    if (site.tokens()) {
      return "password = rds-iam\nregion = " + site.region();
    }
    return site.secret() == null ? "password_file = " + PASSWORD : "secret = " + site.secret();
  }

  private String tls() {
    if (site.certificates() != null) {
      return "sslmode = verify-full\nsslrootcert = " + CERTIFICATES;
    }
    return site.tokens() ? "sslmode = require" : ";sslmode = prefer";
  }

  /** Returns the section of a recorder. Only the first recorder's section explains its keys. */
  private String section(int recorder, int host) {
    return fill(
        recorder == 0 ? "recorder.ini" : "another-recorder.ini",
        Map.of(
            "recorder", site.recorders().get(recorder),
            "lockid", Integer.toString(recorder + 1),
            "primary", Boolean.toString(recorder % site.hosts().size() == host)));
  }

  private String objects() {
    return site.objects().entrySet().stream()
        .map(key -> key.getKey() + " = " + key.getValue() + "\n")
        .collect(Collectors.joining());
  }

  /** Returns the policy with the rights that the hosts' AWS role needs. */
  String iamPolicy() {
    String objects = "arn:aws:s3:::" + site.bucket() + "/" + folder() + "*";
    StringBuilder more = new StringBuilder();
    if (site.objects().containsKey("tags")) {
      more.append(allowed("TagObjects", "\"s3:PutObjectTagging\"", objects));
    }
    if (site.objects().containsKey("object_lock")) {
      more.append(allowed("LockObjects", "\"s3:PutObjectRetention\"", objects));
    }
    String key = site.objects().get("kms_key_id");
    if (key != null) {
      more.append(allowed("UseTheKey", "[\"kms:GenerateDataKey\", \"kms:Decrypt\"]", key));
    }
    if (site.tokens()) {
      String role = "arn:aws:rds-db:%s:*:dbuser:*/%s".formatted(site.region(), site.user());
      more.append(allowed("LogInAtTheDatabase", "\"rds-db:connect\"", role));
    }
    if (site.secret() != null) {
      more.append(allowed("ReadThePassword", "\"secretsmanager:GetSecretValue\"", site.secret()));
    }
    return fill(
        "iam-policy.json",
        Map.of("bucket", site.bucket(), "folder", folder(), "more", more.toString()));
  }

  private static String allowed(String sid, String actions, String resource) {
    return """
        ,
            {
              "Sid": "%s",
              "Effect": "Allow",
              "Action": %s,
              "Resource": "%s"
            }"""
        .formatted(sid, actions, resource);
  }

  /**
   * Returns the bucket policy by which the store itself refuses to replace or delete objects of
   * logs.
   */
  String bucketPolicy() {
    return bucketPolicy(
        site.bucket(), site.recorders().stream().map(name -> folder() + name + "/").toList());
  }

  /**
   * Returns the bucket policy for logs in these folders.
   *
   * @param folders the folders of the logs, with a slash at the end
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

  /** Returns the unit for systemd. */
  static String unit() {
    return TextTemplate.of(SiteFiles.class, "recorder.service").text();
  }

  private static String fill(String name, Map<String, String> pieces) {
    return TextTemplate.of(SiteFiles.class, name + ".template").fill(pieces);
  }
}
