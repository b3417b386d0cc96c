package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.connection.DatabaseConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InitCommandTest {
  private static final Path SAMPLES = Path.of("..", "conf");

  @TempDir private Path folder;

  private Path site() {
    return folder.resolve("site");
  }

  private Run init(String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "init", site().toString(), "--endpoint", "db.example.com", "--database", "app"));
    words.addAll(List.of("--region", "eu-central-1"));
    words.addAll(List.of(more));
    return Run.command(words.toArray(String[]::new));
  }

  private Run initSample(String... more) {
    List<String> words = new ArrayList<>(List.of("--bucket", "example-recorder"));
    words.addAll(List.of("--prefix", "production", "--recorder", "orders", "--recorder", "audit"));
    words.addAll(List.of(more));
    return init(words.toArray(String[]::new));
  }

  private JsonNode json(String name) throws IOException {
    return new ObjectMapper().readTree(site().resolve(name).toFile());
  }

  @Test
  void writesTheSamples() throws IOException {
    initSample().exits(ExitCode.OK);

    for (String host : List.of("host-a.ini", "host-b.ini")) {
      assertThat(site().resolve(host)).hasSameTextualContentAs(SAMPLES.resolve(host));
    }
    assertThat(site().resolve("recorder.service"))
        .hasSameTextualContentAs(SAMPLES.resolve("recorder.service"));
    assertThat(site().resolve("recorder.sql")).content().contains("CREATE TABLE", "handoff.audit");
  }

  @Test
  void everyFileIsForItsOwnerAloneAndEachPasswordIsANewOne() throws IOException {
    initSample().exits(ExitCode.OK);
    String password = Files.readString(site().resolve("db-password"));
    try (Stream<Path> files = Files.list(site())) {
      assertThat(files)
          .allSatisfy(
              file ->
                  assertThat(Files.getPosixFilePermissions(file))
                      .isEqualTo(PosixFilePermissions.fromString("rw-------")));
    }

    Run.command(
            "init",
            folder.resolve("other").toString(),
            "--endpoint",
            "db",
            "--database",
            "app",
            "--region",
            "eu-west-1",
            "--bucket",
            "another-bucket")
        .exits(ExitCode.OK)
        .doesNotPrint(password.strip());
    assertThat(folder.resolve("other/db-password"))
        .content()
        .hasSizeGreaterThan(30)
        .isNotEqualTo(password);
  }

  @Test
  void thePoliciesAreJsonAndNameTheLogs() throws IOException {
    initSample().exits(ExitCode.OK);

    assertThat(json("bucket-policy.json").at("/Statement/0/Resource/1").asText())
        .isEqualTo("arn:aws:s3:::example-recorder/production/audit/*");
    assertThat(json("iam-policy.json").at("/Statement/0/Resource").asText())
        .isEqualTo("arn:aws:s3:::example-recorder/production/*");
  }

  @Test
  void withTokensOfRdsThereIsNoPassword() throws Exception {
    initSample("--rds-iam").exits(ExitCode.OK);

    assertThat(site().resolve("db-password")).doesNotExist();
    RecorderConfig config = ConfigFile.load(site().resolve("host-a.ini"));
    assertThat(config.database().tokenRegion()).isEqualTo("eu-central-1");
    assertThat(json("iam-policy.json").at("/Statement/2/Action").asText())
        .isEqualTo("rds-db:connect");
    assertThat(site().resolve("recorder.sql")).content().contains("GRANT rds_iam TO \"recorder\";");
  }

  @Test
  void withASecretThePasswordStaysInItAndTheHostsMayReadIt() throws Exception {
    String arn = "arn:aws:secretsmanager:eu-central-1:111122223333:secret:db-AbCdEf";
    initSample("--secret", arn).exits(ExitCode.OK).prints("recorder: what is in the secret");

    assertThat(site().resolve("db-password")).doesNotExist();
    RecorderConfig config = ConfigFile.load(site().resolve("host-b.ini"));
    assertThat(config.database().get(DatabaseConfig.SECRET)).isEqualTo(arn);
    JsonNode right = json("iam-policy.json").at("/Statement/2");
    assertThat(right.get("Action").asText()).isEqualTo("secretsmanager:GetSecretValue");
    assertThat(right.get("Resource").asText()).isEqualTo(arn);
  }

  @Test
  void encryptionTagsAndLocksComeWithTheirRights() throws Exception {
    String key = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";
    initSample(
            "--kms-key",
            key,
            "--tags",
            "team=shop",
            "--object-lock",
            "governance",
            "--retain",
            "9d")
        .exits(ExitCode.OK);

    assertThat(site().resolve("host-b.ini"))
        .content()
        .contains(
            "\nsse = aws:kms\nkms_key_id = " + key + "\ntags = team=shop\n",
            "\nobject_lock = governance\nretain = 9d\n");
    JsonNode rights = json("iam-policy.json").at("/Statement");
    assertThat(rights).hasSize(5);
    assertThat(rights.at("/2/Action").asText()).isEqualTo("s3:PutObjectTagging");
    assertThat(rights.at("/3/Action").asText()).isEqualTo("s3:PutObjectRetention");
    assertThat(rights.at("/4/Action/0").asText()).isEqualTo("kms:GenerateDataKey");
    assertThat(rights.at("/4/Resource").asText()).isEqualTo(key);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--kms-key alias/logs | 2 | is no ARN of a key",
        "--secret db | 78 | is not a secret's ARN",
        "--secret db --rds-iam | 2 | --rds-iam needs no password, and --secret names one",
        "--object-lock governance | 78 | write retain = 400d",
        "--retain 400d | 78 | no meaning without object_lock"
      })
  void whatCannotWorkIsRefusedAndNothingIsWritten(String words, int exitCode, String why) {
    initSample(words.split(" ")).exits(exitCode).says(why);

    assertThat(site())
        .satisfiesAnyOf(
            folder -> assertThat(folder).doesNotExist(),
            folder -> assertThat(folder).isEmptyDirectory());
  }

  @Test
  void aFolderWithFilesStaysAsItIs() throws IOException {
    Files.createDirectories(site());
    Files.writeString(site().resolve("host-a.ini"), "mine");

    initSample().exits(ExitCode.REFUSED).says("has some: name another folder");

    try (Stream<Path> files = Files.list(site())) {
      assertThat(files).hasSize(1);
    }
    assertThat(site().resolve("host-a.ini")).hasContent("mine");
  }

  @Test
  void ofAnswersThatMakeNoConfigurationNothingIsLeft() throws IOException {
    init("--bucket", "No Bucket").exits(ExitCode.CONFIGURATION).says("is not a bucket name");

    try (Stream<Path> files = Files.list(site())) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void whatIsMissingIsNamedWhereNobodyCanBeAsked() {
    init().exits(ExitCode.USAGE).says("init needs --bucket");
  }

  @Test
  void aHostsNameLeadsToNoOtherFile() throws IOException {
    for (String name : List.of("../a", "a/b", "..", ".hidden", "a b", "")) {
      initSample("--host", name).exits(ExitCode.USAGE).says("is no name of a file");
    }
    initSample("--host", "a", "--host", "a").exits(ExitCode.USAGE).says("--host a is there twice");
    assertThat(site()).doesNotExist();
  }

  @Test
  void certificatesThatAreNotThereAreNamed() {
    initSample("--ca", folder.resolve("no.pem").toString())
        .exits(ExitCode.USAGE)
        .says("no.pem cannot be read: name a file with the certificates");
    assertThat(site()).doesNotExist();
  }
}
