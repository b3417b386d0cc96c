package dev.recorder.architecture.broken.s3;

public interface SomeBucket {}
