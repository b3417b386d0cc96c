package dev.recorder.architecture.broken.schema;

public interface SomeTable {}
