package dev.recorder.app.config.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Finds the name of a host: the instance id on EC2, else the host name.
 *
 * <p>Nitro instances have their id in the firmware's tables. Reading the tables needs no network,
 * and gives the same result every time. The metadata service is asked only if the id is not in the
 * tables.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/identify_ec2_instances.html">Identify
 *     EC2 instances</a>
 */
public final class MachineIdentity {
  private static final Pattern INSTANCE_ID = Pattern.compile("i-[0-9a-f]{8,17}");

  private final Path dmi;
  private final Supplier<Optional<String>> metadata;
  private final Supplier<Optional<String>> hostName;

  /**
   * Creates a finder that uses these sources.
   *
   * @param dmi the directory with {@code sys_vendor} and {@code board_asset_tag}
   * @param metadata asks for the instance id; called on EC2 only
   */
  public MachineIdentity(
      Path dmi, Supplier<Optional<String>> metadata, Supplier<Optional<String>> hostName) {
    this.dmi = dmi;
    this.metadata = metadata;
    this.hostName = hostName;
  }

  public static MachineIdentity ofThisHost() {
    return new MachineIdentity(
        Path.of("/sys/devices/virtual/dmi/id"),
        new InstanceMetadata(InstanceMetadata.ADDRESS, InstanceMetadata.PATIENCE)::instanceId,
        MachineIdentity::systemHostName);
  }

  /**
   * A host's name.
   *
   * @param viaHostName whether the host name was used because an EC2 instance did not tell its id
   */
  public record FoundName(String name, boolean viaHostName) {}

  /** Finds the name; empty if the host has no name, or has a name such as {@code localhost}. */
  public Optional<FoundName> find() {
    if (!onEc2()) {
      return uniqueHostName().map(name -> new FoundName(name, false));
    }
    return instanceId(firmware("board_asset_tag"))
        .or(() -> instanceId(metadata.get()))
        .map(id -> new FoundName(id, false))
        .or(() -> uniqueHostName().map(name -> new FoundName(name, true)));
  }

  private boolean onEc2() {
    return firmware("sys_vendor").filter("Amazon EC2"::equals).isPresent()
        || instanceId(firmware("board_asset_tag")).isPresent()
        || firmware("bios_version").filter(version -> version.endsWith(".amazon")).isPresent();
  }

  private static Optional<String> instanceId(Optional<String> text) {
    return text.filter(id -> INSTANCE_ID.matcher(id).matches());
  }

  private Optional<String> uniqueHostName() {
    return hostName.get().filter(name -> !name.isEmpty() && !name.startsWith("localhost"));
  }

  private Optional<String> firmware(String entry) {
    return firstLine(dmi.resolve(entry));
  }

  private static Optional<String> systemHostName() {
    // Asks the kernel first: Java may ask a name server, and wait for it.
    return firstLine(Path.of("/proc/sys/kernel/hostname")).or(MachineIdentity::resolvedHostName);
  }

  private static Optional<String> resolvedHostName() {
    try {
      return Optional.of(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException nameless) {
      return Optional.empty();
    }
  }

  private static Optional<String> firstLine(Path file) {
    try (var lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      return lines.findFirst().map(String::strip).filter(line -> !line.isEmpty());
    } catch (IOException absent) {
      return Optional.empty();
    }
  }
}
