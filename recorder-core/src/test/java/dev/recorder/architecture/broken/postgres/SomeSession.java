package dev.recorder.architecture.broken.postgres;

public interface SomeSession {}
