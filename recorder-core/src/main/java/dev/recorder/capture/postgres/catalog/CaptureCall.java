package dev.recorder.capture.postgres.catalog;

import java.sql.SQLException;

/**
 * Work on a capture, which may fail as the driver does, and may be refused.
 *
 * @param <X> how else it may end: by an interrupt, or not at all
 */
@FunctionalInterface
public interface CaptureCall<R, X extends Exception> {
  R run() throws SQLException, RefusedCaptureException, X;
}
