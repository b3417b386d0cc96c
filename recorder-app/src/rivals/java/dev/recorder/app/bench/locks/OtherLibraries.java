package dev.recorder.app.bench.locks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbc.JdbcLockProvider;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Redisson, ShedLock and Spring Integration, as their manuals have them used. */
public final class OtherLibraries implements Rivals {
  private static final String LOCK = "row-0";

  @Override
  public List<Contestant> contestants(LockServers servers) throws Exception {
    servers
        .database()
        .execute(
            "CREATE TABLE shedlock (name text PRIMARY KEY, lock_until timestamp NOT NULL,"
                + " locked_at timestamp NOT NULL, locked_by text NOT NULL)");
    // The library's own: its columns differ between versions, and with others no lock is ever had.
    try (Connection superuser = servers.database().connectAsSuperuser()) {
      ScriptUtils.executeSqlScript(
          superuser,
          new ClassPathResource("org/springframework/integration/jdbc/schema-postgresql.sql"));
    }
    servers.database().execute("GRANT ALL ON shedlock, int_lock TO PUBLIC");
    return List.of(new RedissonLocks(servers), new ShedLocks(servers), new SpringLocks(servers));
  }

  /** As a service has one, small: each client is used by one thread. */
  private static HikariDataSource pool(LockServers servers) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(servers.database().jdbcUrl());
    config.setUsername(servers.database().credentials().getProperty("user"));
    config.setPassword(servers.database().credentials().getProperty("password"));
    config.setMaximumPoolSize(2);
    return new HikariDataSource(config);
  }

  /** What each of them opens and closes. */
  private abstract static class Library implements Contestant {
    private final String name;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    Library(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    <T extends AutoCloseable> T keep(T opened) {
      open.push(opened);
      return opened;
    }

    @Override
    public void close() throws Exception {
      for (AutoCloseable each : open) {
        each.close();
      }
    }
  }

  @SuppressWarnings("LockNotBeforeTry") // there is nothing in between
  private static void cycle(Lock lock) {
    lock.lock();
    lock.unlock();
  }

  private static final class RedissonLocks extends Library {
    private final LockServers servers;

    RedissonLocks(LockServers servers) {
      super("redisson");
      this.servers = servers;
    }

    @Override
    public Client client() {
      Config config = new Config();
      config
          .useSingleServer()
          .setAddress("redis://127.0.0.1:" + servers.redis().port())
          .setConnectionMinimumIdleSize(1)
          .setConnectionPoolSize(2);
      RedissonClient redisson = Redisson.create(config);
      keep(redisson::shutdown);
      RLock lock = redisson.getLock("redisson");
      return () -> cycle(lock);
    }
  }

  /** Has no waiting of its own: asks again every millisecond. */
  private static final class ShedLocks extends Library {
    private final LockServers servers;

    ShedLocks(LockServers servers) {
      super("shedlock");
      this.servers = servers;
    }

    @Override
    public Client client() {
      LockProvider provider = new JdbcLockProvider(keep(pool(servers)));
      return () -> {
        Optional<SimpleLock> lock = Optional.empty();
        while (lock.isEmpty()) {
          lock =
              provider.lock(
                  new LockConfiguration(
                      Instant.now(), LOCK, Duration.ofSeconds(15), Duration.ZERO));
          if (lock.isEmpty()) {
            Thread.sleep(1);
          }
        }
        lock.get().unlock();
      };
    }
  }

  /** With its default pause of 100 ms between attempts. */
  private static final class SpringLocks extends Library {
    private final LockServers servers;

    SpringLocks(LockServers servers) {
      super("spring-integration-jdbc");
      this.servers = servers;
    }

    @Override
    public Client client() {
      HikariDataSource source = keep(pool(servers));
      DefaultLockRepository repository = new DefaultLockRepository(source);
      repository.setTransactionManager(new JdbcTransactionManager(source));
      // As its manual has it for PostgreSQL, where a conflict would fail the transaction.
      repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
      repository.afterPropertiesSet();
      repository.afterSingletonsInstantiated();
      repository.start();
      Lock lock = new JdbcLockRegistry(repository).obtain(LOCK);
      return () -> cycle(lock);
    }
  }
}
