package dev.recorder.lock.postgres;

import dev.recorder.lock.LockException;
import dev.recorder.lock.LockException.Kind;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.SchemaNames;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Translates database failures for callers that requested a lock. */
final class LockFailures {
  private static final String NO_SUCH_TABLE = "42P01";
  private static final String NO_SUCH_SCHEMA = "3F000";

  private LockFailures() {}

  static LockException of(String lock, DatabaseException e, SchemaNames schemas) {
    String state = e.getCause() instanceof SQLException cause ? cause.getSQLState() : null;
    return isWithoutTables(state)
        ? new LockException(
            lock,
            Kind.UNUSABLE,
            """
            the tables of locks are missing in schema %s: start a recorder whose role may create \
            them, or let an administrator run the output of 'recorder schema'"""
                .formatted(schemas.control()),
            e)
        : new LockException(lock, kindOf(e), e.getMessage() + remedy(state), e);
  }

  private static String remedy(@Nullable String state) {
    return SqlStates.NO_RIGHT.equals(state)
        ? "; let an administrator run the output of 'recorder schema'"
        : "";
  }

  /** Whether this SQLSTATE means that the tables of locks are missing. */
  static boolean isWithoutTables(@Nullable String state) {
    return NO_SUCH_TABLE.equals(state) || NO_SUCH_SCHEMA.equals(state);
  }

  static Kind kindOf(DatabaseException e) {
    return switch (e.kind()) {
      case UNREACHABLE, BUSY -> Kind.UNREACHABLE;
      case RIGHTS -> Kind.RIGHTS;
      case UNUSABLE -> Kind.UNUSABLE;
      case FAILED -> Kind.FAILED;
    };
  }

  /** Whether the failure is a network time-out. */
  static boolean isTimeout(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException) {
        return true;
      }
    }
    return false;
  }
}
