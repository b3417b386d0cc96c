package dev.recorder.schema;

import dev.recorder.slotlog.LogHead;
import java.util.UUID;

/** A recorder's row in {@code lock_recorders}, as far as its log is concerned. */
public record RecorderRow(
    int lockId, String kind, UUID log, boolean logCreated, LogHead head, PinnedLayout layout) {}
