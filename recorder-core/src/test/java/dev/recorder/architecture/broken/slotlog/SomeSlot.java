package dev.recorder.architecture.broken.slotlog;

public interface SomeSlot {}
