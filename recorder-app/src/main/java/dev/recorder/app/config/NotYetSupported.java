package dev.recorder.app.config;

/** What the file may already say but this version cannot do. Take a line out when it can. */
final class NotYetSupported {
  private NotYetSupported() {}

  static void report(SectionReader reader, RecorderKindWord kind) {
    if (kind == RecorderKindWord.LOG) {
      refuse(reader, Batching.COMPRESSION, CompressionWord.ZSTD);
    }
  }

  private static <E extends Enum<E> & ConfigWord> void refuse(
      SectionReader reader, Setting<E> setting, E value) {
    if (reader.has(setting) && reader.value(setting) == value) {
      reader.error(
          setting,
          "%s = %s is not supported yet".formatted(setting.key(), value.word()),
          "leave the key out: the default is " + reader.byDefault(setting).word());
    }
  }
}
