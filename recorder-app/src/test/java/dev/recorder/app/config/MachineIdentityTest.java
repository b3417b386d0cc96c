package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.recorder.app.config.host.InstanceMetadata;
import dev.recorder.app.config.host.MachineIdentity;
import dev.recorder.testing.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MachineIdentityTest {
  private static final String ID = "i-0123456789abcdef0";

  @TempDir private Path folder;
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void elsewhereTheHostNameIsTheNameAndNobodyIsAsked() throws IOException {
    Files.writeString(folder.resolve("sys_vendor"), "QEMU\n");

    assertThat(find(ID, "web-1")).contains(new MachineIdentity.FoundName("web-1", false));
    assertThat(asked).hasValue(0);
  }

  @Test
  void onNitroTheFirmwareHasTheIdAndNobodyIsAsked() throws IOException {
    Files.writeString(folder.resolve("sys_vendor"), "Amazon EC2\n");
    Files.writeString(folder.resolve("board_asset_tag"), ID + "\n");

    assertThat(find("i-00000000", "web-1")).contains(new MachineIdentity.FoundName(ID, false));
    assertThat(asked).hasValue(0);
  }

  @Test
  void onXenTheMetadataServiceIsAsked() throws IOException {
    Files.writeString(folder.resolve("bios_version"), "4.11.amazon\n");

    assertThat(find(ID, "web-1")).contains(new MachineIdentity.FoundName(ID, false));
    assertThat(asked).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<html>", "i-XYZ"})
  void withoutAnIdTheHostNameStandsIn(String answer) throws IOException {
    Files.writeString(folder.resolve("sys_vendor"), "Amazon EC2\n");
    Files.writeString(folder.resolve("board_asset_tag"), "none\n");

    assertThat(find(answer, "web-1")).contains(new MachineIdentity.FoundName("web-1", true));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "localhost", "localhost.localdomain"})
  void aHostNameThatEveryHostHasIsNone(String hostName) {
    assertThat(find(ID, hostName)).isEmpty();
  }

  @Test
  void aHostWithoutANameIsAFinding() {
    assertThat(findings(identity(ID, "localhost")))
        .containsExactly(
            "1: error: this host has no name of its own; help: write name = auto, or a unique name"
                + " of at most 46 letters, digits and . _ : @ + = , -, below [machine]");
  }

  @Test
  void aHostNameThatIsTooLongIsAFinding() {
    assertThat(findings(identity(ID, "h".repeat(47))))
        .hasSize(1)
        .allMatch(
            said -> said.contains("the host's name " + "h".repeat(47) + " is not a valid name"));
  }

  @Test
  void aHostNameThatStandsInForAnIdIsAWarning() throws IOException {
    Files.writeString(folder.resolve("sys_vendor"), "Amazon EC2\n");

    assertThat(findings(identity("", "web-1")))
        .containsExactly(
            "1: warning: the EC2 instance id is not available, the host name web-1 is used; help:"
                + " allow the instance metadata service, or write name = web-1");
  }

  @Test
  void aWrittenNameIsTakenAndNothingIsLookedUp() throws Exception {
    Files.writeString(folder.resolve("sys_vendor"), "Amazon EC2\n");
    Path file = TestIni.minimal(folder).write();

    assertThat(ConfigFile.load(file, identity(ID, "web-1")).machine().name()).isEqualTo("a");
    assertThat(asked).hasValue(0);
  }

  @Test
  void theMetadataServiceIsAskedWithAToken() throws IOException {
    HttpServer server = metadataServer();
    try {
      URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
      assertThat(new InstanceMetadata(address, Patience.A_MINUTE).instanceId()).contains(ID);
    } finally {
      server.stop(0);
    }
    URI nobody = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    assertThat(new InstanceMetadata(nobody, Patience.A_MINUTE).instanceId()).isEmpty();
  }

  private Optional<MachineIdentity.FoundName> find(String instanceId, String hostName) {
    return identity(instanceId, hostName).find();
  }

  private MachineIdentity identity(String instanceId, String hostName) {
    return new MachineIdentity(
        folder,
        () -> {
          asked.incrementAndGet();
          return Optional.of(instanceId);
        },
        () -> Optional.of(hostName));
  }

  private List<String> findings(MachineIdentity identity) {
    return TestIni.findings(TestIni.minimal(folder).without("machine").write(), identity);
  }

  private static HttpServer metadataServer() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/latest/api/token",
        exchange -> {
          boolean right =
              exchange.getRequestMethod().equals("PUT")
                  && "60"
                      .equals(
                          exchange
                              .getRequestHeaders()
                              .getFirst("X-aws-ec2-metadata-token-ttl-seconds"));
          answer(exchange, right ? 200 : 400, "the-token");
        });
    server.createContext(
        "/latest/meta-data/instance-id",
        exchange -> {
          boolean right =
              "the-token".equals(exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token"));
          answer(exchange, right ? 200 : 401, ID);
        });
    server.start();
    return server;
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
