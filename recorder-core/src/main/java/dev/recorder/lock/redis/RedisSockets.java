package dev.recorder.lock.redis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Opens sockets, with TLS if configured. */
record RedisSockets(RedisSettings settings) implements JedisSocketFactory {

  @Override
  public Socket createSocket() {
    try {
      Socket socket =
          InterruptibleSocket.connect(
              new InetSocketAddress(settings.host(), settings.port()), settings.timeoutMillis());
      return settings.tls() == null ? socket : encrypted(socket, settings.tls());
    } catch (IOException | RuntimeException failed) {
      throw new JedisConnectionException(String.valueOf(failed.getMessage()), failed);
    }
  }

  private Socket encrypted(Socket socket, SSLContext tls) throws IOException {
    try {
      SSLSocket encrypted =
          (SSLSocket)
              tls.getSocketFactory().createSocket(socket, settings.host(), settings.port(), true);
      SSLParameters parameters = encrypted.getSSLParameters();
      // By default a socket accepts a certificate of any host.
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      encrypted.setSSLParameters(parameters);
      encrypted.startHandshake();
      return encrypted;
    } catch (IOException | RuntimeException failed) {
      socket.close();
      throw failed;
    }
  }
}
