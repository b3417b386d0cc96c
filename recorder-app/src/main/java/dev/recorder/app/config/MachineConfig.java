package dev.recorder.app.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Who this machine is, and what it does beside recording.
 *
 * @param name unique among the machines of one database
 * @param taskTimeouts how often it looks for tasks whose owners' time is over; null if it does not
 * @param waitingLimit how long a row may wait before {@code status} says so
 * @param hosts how many should be able to record each log
 */
public record MachineConfig(
    String name, @Nullable Duration taskTimeouts, Duration waitingLimit, int hosts) {
  static final String SECTION = "machine";

  /** The name that stands for "find out": the instance id on EC2, else the host name. */
  static final String AUTO = "auto";

  // 46: application_name is recorder/<machine>/control, and PostgreSQL cuts it off at 63 bytes.
  static final Setting<String> NAME =
      Setting.text(
              "name",
              AUTO,
              "[A-Za-z0-9][A-Za-z0-9._:@+=,-]{0,45}",
              "is not a machine name",
              "auto, or a unique name of at most 46 letters, digits and . _ : @ + = , -")
          .takes("up to 46 letters, digits and `._:@+=,-`")
          .means(
              "Unique among the hosts of one database. `auto`: the instance id on EC2, elsewhere"
                  + " the host name.");

  static final Setting<Duration> TASK_TIMEOUTS =
      Setting.durationIfAny("task_timeouts", "10s", "1s", "1h")
          .means(
              "How often this host looks for [tasks](locks.md#tasks) whose owners' time is over,"
                  + " and sets them to `timed_out`. Without it only `recorder tasks capture` does"
                  + " so, each time before it captures. One host is enough; several do no harm.");

  static final Setting<Duration> WAITING_LIMIT =
      Setting.duration("waiting_limit", "1m", "1s", "24h")
          .means(
              "How long a row or a request may wait before `recorder status` warns of it; ten times"
                  + " as long is critical. Should be longer than `linger`.");

  static final Setting<Integer> HOSTS =
      Setting.number("hosts", 2, 1, 100)
          .means(
              "How many hosts should have each log or be able to take it over; with fewer `recorder"
                  + " status` and the alerts warn. `1` where one host is all there is.");

  public MachineConfig {
    NAME.require(name);
    WAITING_LIMIT.require(waitingLimit);
    HOSTS.require(hosts);
    if (taskTimeouts != null) {
      TASK_TIMEOUTS.require(taskTimeouts);
    }
  }
}
