package dev.recorder.operate;

import java.util.Locale;

/**
 * What an operator wants of a machine, as it took it from the database.
 *
 * @param recorder which one it is about; empty if it is about all
 * @param by who asked
 */
public record HostOrder(long id, HostWish wish, String recorder, ReloadOrder.Asker by)
    implements MachineOrders.Numbered {
  /** What is wanted; the words are in the database. */
  public enum HostWish {
    /** Hand over everything that others can take, and accept nothing new. */
    DRAIN,
    /** Accept recorders again. */
    UNDRAIN,
    /** Check again whether it could take a recorder. */
    REHEARSE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static HostWish named(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }
}
