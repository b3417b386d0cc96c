package dev.recorder.architecture.broken.postgres.sql;

public interface SomeStatement {}
