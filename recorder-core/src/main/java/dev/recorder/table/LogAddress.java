package dev.recorder.table;

import dev.recorder.slotlog.LogLayout;
import dev.recorder.store.ObjectStore;
import java.util.UUID;

/**
 * A log and its place in a bucket.
 *
 * @param uuid the log's UUID
 */
public record LogAddress(ObjectStore bucket, LogLayout layout, UUID uuid) {}
