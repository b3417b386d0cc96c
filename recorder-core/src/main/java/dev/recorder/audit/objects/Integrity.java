package dev.recorder.audit.objects;

import dev.recorder.logging.Plurals;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotContent.Extent;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether an object is, byte for byte, the one that was written for its slot, according to
 * this log's database.
 */
public record Integrity(LogLayout layout, UUID log) {

  /** Returns the fault, in one sentence without its subject; null if there is none. */
  public @Nullable String fault(long slot, SlotObject object, List<SlotPlan> plans) {
    String fault = faultByItself(slot, object);
    if (fault != null) {
      return fault;
    }
    SlotPlan plan = withHash(object.sha256(), plans);
    return plan == null
        ? "has SHA-256 " + object.sha256() + ", which no row of slots has for it"
        : extentFault(plan.extent(), object.lines());
  }

  /**
   * Returns the fault of an object whose slot has no rows in {@code slots} any more; null if there
   * is none.
   */
  public @Nullable String faultByItself(long slot, SlotObject object) {
    if (object.metadata().isEmpty()) {
      return "was not written by a recorder: its metadata are missing or malformed";
    }
    ObjectMetadata metadata = object.metadata().get();
    if (!metadata.log().equals(log)
        || metadata.slot() != slot
        || !metadata.recorder().equals(layout.recorder().value())) {
      return "says it is slot %d of %s, log %s"
          .formatted(metadata.slot(), metadata.recorder(), metadata.log());
    }
    if (!metadata.sha256().equals(object.sha256())) {
      return "was changed: its metadata say SHA-256 %s, its content has %s"
          .formatted(metadata.sha256(), object.sha256());
    }
    return object.lines().size() == metadata.rows()
        ? null
        : "holds %s, its metadata say %d"
            .formatted(Plurals.rows(object.lines().size()), metadata.rows());
  }

  public static @Nullable SlotPlan withHash(String sha256, List<SlotPlan> plans) {
    return plans.stream().filter(plan -> plan.sha256().equals(sha256)).findFirst().orElse(null);
  }

  private static @Nullable String extentFault(Extent planned, List<RowPrint> lines) {
    if (lines.size() != planned.rows()) {
      return "holds %s, its row in slots says %d"
          .formatted(Plurals.rows(lines.size()), planned.rows());
    }
    return SlotLines.extent(lines).equals(planned)
        ? null
        : "reaches from %s to %s, its row in slots says otherwise"
            .formatted(lines.get(0).key(), lines.get(lines.size() - 1).key());
  }
}
