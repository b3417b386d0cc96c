package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.ini.Finding;
import dev.recorder.app.config.ini.IniValue;
import dev.recorder.app.config.value.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordTest {
  private static final String SECRET =
      "secret = arn:aws:secretsmanager:eu-central-1:123456789012:secret:rds!db-1a-AbCdEf";

  @TempDir private Path folder;

  @Test
  void withNeitherKeyThereIsNoneAndTheDriverLooksForIt() {
    assertThat(TestIni.minimal(folder).load().database().password()).isNull();
  }

  @Test
  void anyQuotedPasswordArrivesExactly() {
    String alphabet = ";#$,'=: \"\\{}ab%";
    Random random = new Random(7);
    for (int i = 0; i < 100; i++) {
      StringBuilder password = new StringBuilder("x");
      random.ints(12, 0, alphabet.length()).forEach(at -> password.append(alphabet.charAt(at)));
      String line = "password = " + IniValue.format(password.toString());

      assertThat(TestIni.minimal(folder).with("postgredb", line).load().database().password())
          .isEqualTo(new Secret(password.toString()));
    }
  }

  @Test
  void theFirstLineOfThePasswordFileIsThePassword() {
    TestIni.write(folder.resolve("pw"), " a;\"b\\ \r\nmore\n", "rw-------");
    TestIni ini = withPasswordFile();

    assertThat(ini.load().database().password()).isEqualTo(new Secret(" a;\"b\\ "));
    assertThat(ini.load().warnings()).isEmpty();
  }

  @Test
  void anAbsolutePasswordFileIsTakenAsItIs() {
    Path file = TestIni.write(folder.resolve("pw"), "secret", "rw-------");
    TestIni ini =
        TestIni.minimal(folder).with("postgredb", "password_file = " + file.toAbsolutePath());

    assertThat(ini.load().database().password()).isEqualTo(new Secret("secret"));
  }

  @Test
  void bothKeysAreAnErrorOnTheLaterLine() {
    TestIni.write(folder.resolve("pw"), "secret", "rw-------");
    TestIni ini =
        TestIni.minimal(folder).with("postgredb", "password_file = pw", "password = secret");

    ini.says(
        "password = secret",
        "error: password, but there is a password_file on line %d already; help: keep one of the two, better password_file"
            .formatted(ini.line("password_file = pw")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"password = x", "password_file = pw", "password = rds-iam"})
  void aSecretExcludesOtherPasswords(String other) {
    TestIni.write(folder.resolve("pw"), "x", "rw-------");
    TestIni ini =
        TestIni.minimal(folder)
            .with("postgredb", "sslmode = require", "region = eu-west-1", other, SECRET);

    ini.says(
        SECRET,
        "error: secret, but there is a %s on line %d already; help: keep one of the two"
                .formatted(other.replaceFirst(" .*", ""), ini.line(other))
            + (other.startsWith("password_file") ? "" : ", better secret"));
  }

  @Test
  void aSecretIsNamedByItsArnAndItsEndpointNeedsIt() {
    assertThat(TestIni.minimal(folder).with("postgredb", SECRET).findings()).isEmpty();
    assertThat(TestIni.minimal(folder).with("postgredb", "secret = db").findings())
        .singleElement()
        .asString()
        .contains("secret = db is not a secret's ARN; help: write a secret's ARN, such as arn:");
    assertThat(TestIni.minimal(folder).with("postgredb", "secret_endpoint = https://x").findings())
        .singleElement()
        .asString()
        .contains("secret_endpoint has no meaning without secret; help: leave the key out");
    assertThat(endpoint("https://secrets.example.com")).isEmpty();
    assertThat(endpoint("http://127.0.0.1:4566")).isEmpty();
    assertThat(endpoint("http://secrets.example.com"))
        .singleElement()
        .asString()
        .contains("secret_endpoint = http://secrets.example.com");
  }

  private List<String> endpoint(String address) {
    return TestIni.minimal(folder)
        .with("postgredb", SECRET, "secret_endpoint = " + address)
        .findings();
  }

  @Test
  void aPasswordFileThatIsNotThereIsAnError() {
    String file = "password_file " + folder.resolve("pw");

    withPasswordFile()
        .says("password_file = pw", "error: " + file + ": file not found; help: check the path");
  }

  @Test
  void anEmptyPasswordFileIsAnError() {
    TestIni.write(folder.resolve("pw"), "\nsecret\n", "rw-------");

    assertThat(withPasswordFile().findings())
        .hasSize(1)
        .allMatch(said -> said.contains("has nothing on its first line"));
  }

  @Test
  void aPasswordFileThatAllMayReadIsAWarning() {
    Path file = TestIni.write(folder.resolve("pw"), "secret\n", "rw-r--r--");

    withPasswordFile()
        .says(
            "password_file = pw",
            "warning: password_file %s can be read by every user of this host; help: chmod o-r %1$s"
                .formatted(file));
  }

  @Test
  void aPasswordInAFileThatAllMayReadIsAWarning() throws Exception {
    Path file =
        TestIni.write(
            folder.resolve("open.ini"),
            TestIni.minimal(folder).with("postgredb", "password = secret").text(),
            "rw-r--r--");

    List<Finding> warnings = ConfigFile.load(file, TestIni.HERE).warnings();

    assertThat(warnings).hasSize(1);
    assertThat(warnings.get(0).what()).contains("every user of this host can read it");
  }

  @Test
  void aFileThatAllMayReadIsFineWithoutAPassword() throws Exception {
    Path file =
        TestIni.write(folder.resolve("open.ini"), TestIni.minimal(folder).text(), "rw-r--r--");

    assertThat(ConfigFile.load(file, TestIni.HERE).warnings()).isEmpty();
  }

  @Test
  void tokensOfRdsHaveTheRegionOfTheEndpoint() {
    TestIni ini =
        TestIni.minimal(folder)
            .without("postgredb", "endpoint = db")
            .with("postgredb", "endpoint = db.abc.eu-central-1.rds.amazonaws.com")
            .with("postgredb", "password = rds-iam", "sslmode = verify-full");

    assertThat(ini.load().database().tokenRegion()).isEqualTo("eu-central-1");
    assertThat(ini.with("postgredb", "region = eu-west-1").load().database().tokenRegion())
        .isEqualTo("eu-west-1");
  }

  @Test
  void tokensOfRdsNeedTlsAndARegion() {
    TestIni ini = TestIni.minimal(folder).with("postgredb", "password = rds-iam");

    assertThat(ini.findings())
        .anyMatch(
            said ->
                said.contains("password = rds-iam needs TLS, and sslmode is prefer; help: write"))
        .anyMatch(said -> said.contains("does not name one; help: write region ="));
  }

  @Test
  void aMissingRootCertificateIsAnError() throws IOException {
    TestIni ini = TestIni.minimal(folder).with("postgredb", "sslrootcert = ca.pem");
    ini.says(
        "sslrootcert = ca.pem",
        "error: sslrootcert: no readable file %s; help: write the path of the certificate authority's PEM file"
            .formatted(folder.resolve("ca.pem")));

    Files.createFile(
        folder.resolve("ca.pem"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
    assertThat(ini.findings()).isEmpty();
  }

  private TestIni withPasswordFile() {
    return TestIni.minimal(folder).with("postgredb", "password_file = pw");
  }
}
