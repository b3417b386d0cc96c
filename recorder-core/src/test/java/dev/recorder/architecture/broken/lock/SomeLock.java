package dev.recorder.architecture.broken.lock;

public interface SomeLock {}
