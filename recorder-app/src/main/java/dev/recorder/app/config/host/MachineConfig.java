package dev.recorder.app.config.host;

import dev.recorder.app.config.ini.Deferred;
import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.SectionValues;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.ini.SettingTable;
import java.time.Duration;
import java.util.Optional;

/** The section {@code [machine]}: the host's name, and its duties beside recording. */
public final class MachineConfig extends SectionValues {
  public static final SettingTable TABLE = new SettingTable("machine");

  /** The value that stands for the instance id on EC2, and for the host name elsewhere. */
  static final String AUTO = "auto";

  // At most 46 characters: PostgreSQL cuts the application_name recorder/<name>/control off at 63
  // bytes.
  static final Setting<String> NAME =
      TABLE.add(
          Setting.text(
                  "name",
                  AUTO,
                  "[A-Za-z0-9][A-Za-z0-9._:@+=,-]{0,45}",
                  "is not a valid name",
                  "auto, or a unique name of at most 46 letters, digits and . _ : @ + = , -")
              .mayDiffer()
              .takes("up to 46 letters, digits and `._:@+=,-`")
              .means(
                  "Unique among the hosts of one database. `auto`: the instance id on EC2,"
                      + " elsewhere the host name."));

  public static final Setting<Duration> TASK_TIMEOUTS =
      TABLE.add(
          Setting.durationIfAny("task_timeouts", "10s", "1s", "1h")
              .mayDiffer()
              .means(
                  "This host looks this often for [tasks](locks.md#tasks) whose time is over, and"
                      + " sets them to `timed_out`. Without this key only `recorder tasks capture`"
                      + " does so, each time before it captures. One host with this key is enough."
                      + " More do no harm."));

  public static final Setting<Duration> WAITING_LIMIT =
      TABLE.add(
          Setting.duration("waiting_limit", "1m", "1s", "24h")
              .mayDiffer()
              .means(
                  "How long a row or a request may wait before `recorder status` warns. After ten"
                      + " times this time the warning becomes critical. Set it longer than"
                      + " `linger`."));

  public static final Setting<Integer> HOSTS =
      TABLE.add(
          Setting.number("hosts", 2, 1, 100)
              .mayDiffer()
              .means(
                  "How many hosts, the active one included, should be able to record each log."
                      + " `recorder status` and the alerts warn if there are fewer. Write `1` if"
                      + " there is only one host."));

  private MachineConfig(SectionReader reader) {
    super(TABLE, reader.inEffect());
  }

  public static Deferred<MachineConfig> read(SectionReader reader, MachineIdentity identity) {
    reader.read(TABLE);
    if (reader.value(NAME).equals(AUTO)) {
      reader.set(NAME, find(reader, identity));
    }
    return () -> new MachineConfig(reader);
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

  /** Returns the host's name, which is unique among the hosts of one database. */
  public String name() {
    return get(NAME);
  }
}
