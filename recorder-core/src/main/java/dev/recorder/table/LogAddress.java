package dev.recorder.table;

import dev.recorder.slotlog.LogLayout;
import dev.recorder.store.ObjectStore;
import java.util.UUID;

/**
 * A log, and where it is.
 *
 * @param uuid its identity
 */
public record LogAddress(ObjectStore bucket, LogLayout layout, UUID uuid) {}
