package dev.recorder.architecture.broken.store;

public interface SomeStore {}
