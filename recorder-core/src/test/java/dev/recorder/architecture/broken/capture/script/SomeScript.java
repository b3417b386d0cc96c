package dev.recorder.architecture.broken.capture.script;

public interface SomeScript {}
