package dev.recorder.app.config;

import java.io.Serial;

/** A file was not changed, and why: a sentence with the file and the remedy. */
public final class FileEditException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final FileEditErrorKind kind;

  /** What kept it from being changed. */
  public enum FileEditErrorKind {
    /** This user may not do it. */
    RIGHTS,
    /** The file is in a form that is not changed by a program. */
    FORM,
    /** Somebody else is changing it. */
    BUSY
  }

  FileEditException(FileEditErrorKind kind, String message) {
    super(message, null, false, false);
    this.kind = kind;
  }

  public FileEditErrorKind kind() {
    return kind;
  }
}
