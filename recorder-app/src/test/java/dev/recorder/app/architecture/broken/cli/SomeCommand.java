package dev.recorder.app.architecture.broken.cli;

public interface SomeCommand {}
