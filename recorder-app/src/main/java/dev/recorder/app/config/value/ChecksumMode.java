package dev.recorder.app.config.value;

/** When the S3 client sends a checksum; some servers reject those they did not ask for. */
public enum ChecksumMode implements ConfigWord {
  WHEN_SUPPORTED,
  WHEN_REQUIRED
}
