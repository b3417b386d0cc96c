package dev.recorder.app.http;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The JDK's servers for what tests imitate. */
public final class PlainServers {
  private PlainServers() {}

  /**
   * One on a free port. It has the bounds of the product's own port: the JDK reads them once per
   * process, and tests of that port may follow.
   */
  public static HttpServer create() throws IOException {
    HttpPort.bound();
    return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }
}
