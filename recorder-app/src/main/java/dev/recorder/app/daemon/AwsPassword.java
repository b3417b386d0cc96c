package dev.recorder.app.daemon;

import dev.recorder.app.config.connection.DatabaseConfig;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Passwords;
import dev.recorder.s3.NoPasswordException;
import dev.recorder.s3.RdsTokens;
import dev.recorder.s3.SecretPassword;
import dev.recorder.time.WallClock;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Supplier;

/** Passwords from AWS: RDS tokens, or the password in a secret. */
record AwsPassword(Supplier<String> source, Supplier<String> remedies) implements Passwords {
  static AwsPassword token(DatabaseConfig database) {
    String user = database.get(DatabaseConfig.USER);
    RdsTokens tokens =
        new RdsTokens(
            database.get(DatabaseConfig.ENDPOINT),
            database.get(DatabaseConfig.PORT),
            user,
            Objects.requireNonNull(database.tokenRegion()));
    return new AwsPassword(
        tokens,
        () ->
            "the server refused the token of password = rds-iam: allow rds-db:connect on "
                + user
                + " for the role of this host, GRANT rds_iam TO "
                + user
                + ", and compare this host's clock, which says "
                + Instant.ofEpochMilli(WallClock.system().millis()));
  }

  static AwsPassword secret(DatabaseConfig database, String arn) {
    SecretPassword secret =
        new SecretPassword(
            arn,
            database.get(DatabaseConfig.USER),
            database.orNull(DatabaseConfig.SECRET_ENDPOINT));
    return new AwsPassword(secret, secret::remedy);
  }

  @Override
  public String current() {
    try {
      return source.get();
    } catch (NoPasswordException none) {
      DatabaseErrorKind kind =
          switch (none.kind()) {
            case PASSING -> DatabaseErrorKind.UNREACHABLE;
            case RIGHTS -> DatabaseErrorKind.RIGHTS;
            case SETTING -> DatabaseErrorKind.UNUSABLE;
          };
      throw new DatabaseException(kind, String.valueOf(none.getMessage()), none);
    }
  }

  @Override
  public String remedy() {
    return remedies.get();
  }
}
