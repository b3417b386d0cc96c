package dev.recorder.capture.postgres.catalog;

import java.sql.SQLException;

/**
 * Work on a capture. It may throw errors of the driver, or be refused.
 *
 * @param <X> a further exception that it may throw, such as {@code InterruptedException}
 */
@FunctionalInterface
public interface CaptureCall<R, X extends Exception> {
  R run() throws SQLException, RefusedCaptureException, X;
}
