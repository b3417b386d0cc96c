package dev.recorder.lock;

import dev.recorder.lock.postgres.AdvisoryLocks;
import org.postgresql.ds.PGSimpleDataSource;

/** A program that uses the library for a lock. Arguments: URL, user, password. */
final class LocksAlone {
  private LocksAlone() {}

  public static void main(String[] arguments) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(arguments[0]);
    source.setUser(arguments[1]);
    source.setPassword(arguments[2]);
    try (AdvisoryLocks locks = AdvisoryLocks.on(source);
        Lease lease = locks.lock("alone").tryAcquire().orElseThrow()) {
      System.out.println("held for " + lease.remaining().toMillis() + " ms");
    }
  }
}
