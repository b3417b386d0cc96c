package dev.recorder.app.config;

/**
 * Who this machine is.
 *
 * @param name unique among the machines of one database
 */
public record MachineConfig(String name) {
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
          "auto, or a unique name of at most 46 letters, digits and . _ : @ + = , -");

  public MachineConfig {
    NAME.require(name);
  }
}
