package dev.recorder.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterruptibleSocketTest {
  private static final SelectorProvider SYSTEM = SelectorProvider.provider();

  /** Nobody would close it later, and each attempt would cost one more. */
  @Test
  void aChannelIsClosedForWhichThereIsNoSelector() {
    List<SocketChannel> opened = new ArrayList<>();
    SelectorProvider exhausted =
        new ExhaustedProvider() {
          @Override
          public SocketChannel openSocketChannel() throws IOException {
            SocketChannel channel = SYSTEM.openSocketChannel();
            opened.add(channel);
            return channel;
          }

          @Override
          public AbstractSelector openSelector() throws IOException {
            throw new IOException("Too many open files");
          }
        };

    assertThatThrownBy(
            () ->
                InterruptibleSocket.connect(
                    exhausted, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), 1_000))
        .hasMessage("Too many open files");

    assertThat(opened).singleElement().returns(false, SocketChannel::isOpen);
  }

  /** What a test does not replace is not asked for. */
  private abstract static class ExhaustedProvider extends SelectorProvider {
    @Override
    public DatagramChannel openDatagramChannel() {
      throw new UnsupportedOperationException();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Pipe openPipe() {
      throw new UnsupportedOperationException();
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() {
      throw new UnsupportedOperationException();
    }
  }
}
