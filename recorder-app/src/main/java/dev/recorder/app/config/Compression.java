package dev.recorder.app.config;

/** How a slot's object is compressed. */
public enum Compression implements ConfigWord {
  GZIP,
  ZSTD,
  NONE
}
