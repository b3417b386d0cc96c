package dev.recorder.architecture.broken.memory;

/** There are two. */
interface SharesItsName {}
