package dev.recorder.audit.objects;

import dev.recorder.slotlog.ObjectMetadata;
import java.util.List;
import java.util.Optional;

/**
 * A slot's object, read and parsed.
 *
 * @param bytes size of its uncompressed content
 */
public record SlotObject(
    Optional<ObjectMetadata> metadata, String sha256, long bytes, List<RowPrint> lines) {}
