package dev.recorder.audit;

import dev.recorder.slotlog.ObjectMetadata;
import java.util.List;
import java.util.Optional;

/** A slot's object, read and taken apart. */
record SlotObject(Optional<ObjectMetadata> metadata, String sha256, List<RowPrint> lines) {}
