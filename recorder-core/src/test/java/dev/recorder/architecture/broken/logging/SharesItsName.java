package dev.recorder.architecture.broken.logging;

/** There are two. */
interface SharesItsName {}
