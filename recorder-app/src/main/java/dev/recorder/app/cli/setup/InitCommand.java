package dev.recorder.app.cli.setup;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.RecorderConfig;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes all files that two hosts need. Connects to no server. */
@Command(
    description = "What is not given is asked for on a terminal.",
    mixinStandardHelpOptions = true)
public final class InitCommand extends PrintingCommand {
  private static final int PASSWORD_BYTES = 24;
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  private static final Pattern KEY =
      Pattern.compile("arn:aws[a-z-]*:kms:[a-z0-9-]+:\\d+:key/[\\w-]+");

  @Parameters(paramLabel = "FOLDER", description = "A folder that is empty, or not there.")
  private Path folder = Path.of("");

  @Option(names = "--endpoint", paramLabel = "HOST", description = "The database server.")
  private @Nullable String endpoint;

  @Option(names = "--database", paramLabel = "NAME", description = "The database.")
  private @Nullable String database;

  @Option(
      names = "--user",
      paramLabel = "ROLE",
      defaultValue = "recorder",
      description = "The hosts' role in it; default: ${DEFAULT-VALUE}.")
  private String user = "";

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "Certificates of the authorities that vouch for the database server (PEM).")
  private @Nullable Path certificates;

  @Option(names = "--rds-iam", description = "Log in at RDS by IAM, not by password.")
  private boolean tokens;

  @Option(
      names = "--secret",
      paramLabel = "ARN",
      description = "A secret of AWS Secrets Manager that holds the role's password.")
  private @Nullable String secret;

  @Option(names = "--region", paramLabel = "NAME", description = "The bucket's AWS region.")
  private @Nullable String region;

  @Option(names = "--bucket", paramLabel = "NAME", description = "The bucket.")
  private @Nullable String bucket;

  @Option(
      names = "--prefix",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "What all keys begin with; default: nothing.")
  private String prefix = "";

  @Option(
      names = "--s3-endpoint",
      paramLabel = "URL",
      description = "The address of a store other than AWS.")
  private @Nullable String s3Endpoint;

  @Option(
      names = "--kms-key",
      paramLabel = "ARN",
      description = "Encrypt objects with this key of KMS.")
  private @Nullable String kmsKey;

  @Option(
      names = "--tags",
      paramLabel = "TAGS",
      description = "Tags of each object, such as team=shop,log=orders.")
  private @Nullable String tags;

  @Option(
      names = "--object-lock",
      paramLabel = "MODE",
      description = "Lock each object: governance or compliance; with --retain.")
  private @Nullable String objectLock;

  @Option(
      names = "--retain",
      paramLabel = "TIME",
      description = "How long objects are locked, such as 400d.")
  private @Nullable String retain;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description = "A host's name; once for each. Default: host-a and host-b.")
  private List<String> hosts = List.of("host-a", "host-b");

  @Option(
      names = "--recorder",
      paramLabel = "NAME",
      description = "A recorder's name; once for each. Default: orders.")
  private List<String> recorders = List.of("orders");

  @Override
  public Integer call() throws CommandFailure, ConfigException, IOException {
    SiteAnswers answers = answers();
    refuseBadFiles();
    refuseUnlessEmpty();
    List<Path> written = new ArrayList<>();
    boolean complete = false;
    try {
      write(answers, written);
      complete = true;
    } finally {
      if (!complete) {
        for (Path file : written) {
          Files.deleteIfExists(file);
        }
      }
    }
    tell(answers, written);
    return ExitCode.OK;
  }

  /**
   * Refuses names of hosts that are not unique names of files in the folder, since each host has a
   * file of its name.
   */
  private void refuseBadFiles() throws CommandFailure {
    Set<String> names = new HashSet<>();
    for (String host : hosts) {
      if (!HOST.matcher(host).matches()) {
        throw CommandFailure.usage(
            "--host '%s' is no name of a file: take letters, digits and - _ . and begin with a letter or digit"
                .formatted(host));
      }
      if (!names.add(host)) {
        throw CommandFailure.usage(
            "--host %s is there twice: each host has a name of its own".formatted(host));
      }
    }
    if (tokens && secret != null) {
      throw CommandFailure.usage("--rds-iam needs no password, and --secret names one: take one");
    }
    if (certificates != null && !Files.isReadable(certificates)) {
      throw CommandFailure.usage(
          "--ca %s cannot be read: name a file with the certificates of the server's authorities"
              .formatted(certificates));
    }
  }

  private SiteAnswers answers() throws CommandFailure {
    return new SiteAnswers(
        answer(endpoint, "--endpoint", "Database server"),
        answer(database, "--database", "Database"),
        user,
        answer(s3Endpoint == null ? region : "us-east-1", "--region", "AWS region of the bucket"),
        answer(bucket, "--bucket", "Bucket"),
        prefix,
        s3Endpoint,
        objects(),
        certificates,
        tokens,
        secret,
        hosts,
        recorders);
  }

  /**
   * Returns the further keys of the section s3. Only the KMS key is checked here, since an IAM
   * policy needs its ARN. The other keys are checked when the file is read.
   */
  private Map<String, String> objects() throws CommandFailure {
    Map<String, String> keys = new LinkedHashMap<>();
    if (kmsKey != null) {
      if (!KEY.matcher(kmsKey).matches()) {
        throw CommandFailure.usage(
            "--kms-key '%s' is no ARN of a key: write arn:aws:kms:REGION:ACCOUNT:key/ID"
                .formatted(kmsKey));
      }
      keys.put("sse", "aws:kms");
      keys.put("kms_key_id", kmsKey);
    }
    put(keys, "tags", tags);
    put(keys, "object_lock", objectLock);
    put(keys, "retain", retain);
    return keys;
  }

  private static void put(Map<String, String> keys, String key, @Nullable String value) {
    if (value != null) {
      keys.put(key, value);
    }
  }

  @SuppressWarnings("SystemConsoleNull") // From JDK 22 on, the console may not be a terminal.
  private static String answer(@Nullable String given, String option, String question)
      throws CommandFailure {
    Console terminal = System.console();
    String answer = given;
    if (answer == null && terminal != null) {
      answer = terminal.readLine("%s: ", question); // Null at the end of the input.
    }
    if (answer == null || answer.isBlank()) {
      throw CommandFailure.usage("init needs " + option);
    }
    return answer.strip();
  }

  private void refuseUnlessEmpty() throws CommandFailure, IOException {
    Files.createDirectories(folder);
    try (Stream<Path> there = Files.list(folder)) {
      if (there.findAny().isPresent()) {
        throw CommandFailure.refused(
            "init changes no files, and " + folder + " has some: name another folder");
      }
    }
  }

  private void write(SiteAnswers site, List<Path> written) throws IOException, ConfigException {
    SiteFiles files = new SiteFiles(site);
    if (site.hasPasswordFile()) {
      byte[] password = new byte[PASSWORD_BYTES];
      new SecureRandom().nextBytes(password);
      write(SiteFiles.PASSWORD, Base64.getEncoder().encodeToString(password) + "\n", written);
    }
    if (site.certificates() != null) {
      write(SiteFiles.CERTIFICATES, Files.readString(site.certificates()), written);
    }
    RecorderConfig config = null;
    for (int host = 0; host < site.hosts().size(); host++) {
      // Loads each file at once, so that "recorder check" accepts all files that are left.
      config = ConfigFile.load(write(site.hosts().get(host) + ".ini", files.config(host), written));
    }
    String grant = site.tokens() ? "\nGRANT rds_iam TO \"" + site.user() + "\";\n" : "";
    if (config != null) {
      write("recorder.sql", SchemaCommand.script(config) + grant, written);
    }
    write("iam-policy.json", files.iamPolicy(), written);
    write("bucket-policy.json", files.bucketPolicy(), written);
    write("recorder.service", SiteFiles.unit(), written);
  }

  private Path write(String name, String text, List<Path> written) throws IOException {
    Path file = folder.resolve(name);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    written.add(file);
    return Files.writeString(file, text);
  }

  private void tell(SiteAnswers site, List<Path> written) {
    PrintWriter out = out();
    written.forEach(file -> out.println("wrote " + file));
    out.println();
    out.println(
        "1. Database: psql -h "
            + site.endpoint()
            + " -d "
            + site.database()
            + " -v ON_ERROR_STOP=1 -f recorder.sql, as an administrator");
    if (!site.tokens()) {
      out.println(
          "   then \\password "
              + site.user()
              + ": what is in "
              + (site.secret() == null ? SiteFiles.PASSWORD : "the secret"));
    }
    out.println("2. AWS: iam-policy.json for the hosts' role, bucket-policy.json for the bucket");
    out.println(
        "3. Each host: its .ini file as /etc/recorder/recorder.ini, the other files beside it;"
            + " then recorder check --online, and systemctl enable --now recorder");
    out.flush();
  }
}
