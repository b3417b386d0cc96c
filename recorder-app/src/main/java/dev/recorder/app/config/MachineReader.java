package dev.recorder.app.config;

import static dev.recorder.app.config.MachineConfig.HOSTS;
import static dev.recorder.app.config.MachineConfig.NAME;
import static dev.recorder.app.config.MachineConfig.TASK_TIMEOUTS;
import static dev.recorder.app.config.MachineConfig.WAITING_LIMIT;

import java.time.Duration;
import java.util.Optional;

/** {@code [machine]}. */
final class MachineReader {
  private MachineReader() {}

  static Buildable<MachineConfig> read(SectionReader reader, MachineIdentity identity) {
    String written = reader.value(NAME);
    Duration taskTimeouts = reader.optional(TASK_TIMEOUTS);
    Duration waitingLimit = reader.value(WAITING_LIMIT);
    int hosts = reader.value(HOSTS);
    reader.reportUnknownKeys();
    String name = written.equals(MachineConfig.AUTO) ? find(reader, identity) : written;
    return () -> new MachineConfig(name, taskTimeouts, waitingLimit, hosts);
  }

  private static String find(SectionReader reader, MachineIdentity identity) {
    Optional<MachineIdentity.FoundName> found = identity.find();
    if (found.isEmpty()) {
      reader.error(
          NAME,
          "this host has no name of its own",
          "write name = " + NAME.rule().allowed() + ", below [machine]");
      return "";
    }
    String name = found.get().name();
    String fault = NAME.rule().fault(name);
    if (fault != null) {
      reader.error(
          NAME,
          "the host's name %s %s".formatted(name, fault),
          "write name = " + NAME.rule().allowed() + ", below [machine]");
    }
    if (found.get().viaHostName()) {
      reader.warning(
          NAME,
          "the EC2 instance id is not available, the host name %s is used".formatted(name),
          "allow the instance metadata service, or write name = " + name);
    }
    return name;
  }
}
