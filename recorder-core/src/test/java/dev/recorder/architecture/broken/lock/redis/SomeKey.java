package dev.recorder.architecture.broken.lock.redis;

public interface SomeKey {}
