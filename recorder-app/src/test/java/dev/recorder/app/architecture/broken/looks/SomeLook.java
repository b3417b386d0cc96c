package dev.recorder.app.architecture.broken.looks;

public interface SomeLook {}
