package dev.recorder.testing.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;

class RedisServerIT {
  @Test
  void forgetsWhatItHadWhenItIsRestarted() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      assertThat(server.ask("SET", "key", "value")).isEqualTo("OK");
      assertThat(server.ask("GET", "key")).isEqualTo("value");
      int port = server.port();

      server.restart();

      assertThat(server.port()).isEqualTo(port);
      assertThat(server.ask("GET", "key")).isNull();
    }
  }

  @Test
  void answersNobodyWhileItIsFrozenAndDoesItAllAfterwards() throws Exception {
    try (RedisServer server = RedisServer.start();
        Connection connection = server.connect()) {
      connection.setSoTimeout(200);
      server.freeze();
      connection.sendCommand(Command.SET, "key", "value");
      assertThatThrownBy(connection::getOne).isInstanceOf(JedisConnectionException.class);

      server.thaw();

      assertThat(server.ask("GET", "key")).isEqualTo("value");
    }
  }

  @Test
  void nothingRunsOnceItIsKilledOrClosedAlsoIfItWasFrozen() throws Exception {
    RedisServer server = RedisServer.start(Map.of("requirepass", "secret"));
    server.kill();
    assertThat(server.isRunning()).isFalse();
    server.restart();
    server.freeze();
    long pid = server.pid();

    server.close();

    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }
}
