package dev.recorder.lock.redis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Opens sockets that an interrupt of the thread that reads or writes closes: those of channels. A
 * waiter then ends at once, also where the server hangs.
 */
record RedisSockets(RedisSettings settings) implements JedisSocketFactory {

  @Override
  public Socket createSocket() {
    try {
      SocketChannel channel = SocketChannel.open();
      try {
        return open(channel);
      } catch (IOException | RuntimeException failed) {
        channel.close();
        throw failed;
      }
    } catch (IOException | RuntimeException failed) {
      throw new JedisConnectionException(String.valueOf(failed.getMessage()), failed);
    }
  }

  private Socket open(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    // Closing takes back what was sent and has not arrived: it would be done when nobody waits.
    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    Socket socket = channel.socket();
    socket.connect(
        new InetSocketAddress(settings.host(), settings.port()), settings.timeoutMillis());
    socket.setSoTimeout(settings.timeoutMillis());
    return settings.tls() == null ? socket : encrypted(socket, settings.tls());
  }

  private Socket encrypted(Socket socket, SSLContext tls) throws IOException {
    SSLSocket encrypted =
        (SSLSocket)
            tls.getSocketFactory().createSocket(socket, settings.host(), settings.port(), true);
    SSLParameters parameters = encrypted.getSSLParameters();
    // By itself a socket accepts any host's certificate.
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    encrypted.setSSLParameters(parameters);
    encrypted.startHandshake();
    return encrypted;
  }
}
