package dev.recorder.architecture.broken.audit;

public interface SomeProof {}
