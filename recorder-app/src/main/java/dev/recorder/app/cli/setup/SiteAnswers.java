package dev.recorder.app.cli.setup;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answers from which {@code recorder init} writes its files.
 *
 * @param prefix empty for none
 * @param s3Endpoint null for AWS
 * @param certificates the certificates of the authorities that sign the database's certificate;
 *     null if none are given
 * @param objects further keys of the section s3, in their order: encryption, tags and locks of
 *     objects
 * @param tokens whether hosts log in to RDS by IAM
 * @param secret the ARN of the AWS secret with the password; null if there is none
 */
record SiteAnswers(
    String endpoint,
    String database,
    String user,
    String region,
    String bucket,
    String prefix,
    @Nullable String s3Endpoint,
    Map<String, String> objects,
    @Nullable Path certificates,
    boolean tokens,
    @Nullable String secret,
    List<String> hosts,
    List<String> recorders) {
  /** Whether the password is in a file beside the configuration. */
  boolean hasPasswordFile() {
    return !tokens && secret == null;
  }
}
