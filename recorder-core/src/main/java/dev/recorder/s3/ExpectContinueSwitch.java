package dev.recorder.s3;

import dev.recorder.logging.LogEvent;
import dev.recorder.time.Ticker;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Sends large bodies with {@code Expect: 100-continue}, so that a refused body is not sent, and the
 * refusal is read. If a proxy does not know this header and does not answer it, the client waits
 * three seconds before it sends the body anyway. After the first such wait the header is omitted
 * until the process ends. Thread-safe.
 */
final class ExpectContinueSwitch implements ExecutionInterceptor {
  private static final Logger log = LoggerFactory.getLogger(ExpectContinueSwitch.class);

  /** The SDK's default; smaller bodies are sent without the header. */
  static final int FROM_BYTES = 1 << 20;

  /** Slightly less than the client waits. */
  private static final Duration IN_VAIN = Duration.ofMillis(2_900);

  private final String bucket;
  private final Ticker ticker;
  private volatile boolean off;

  ExpectContinueSwitch(String bucket, Ticker ticker) {
    this.bucket = bucket;
    this.ticker = ticker;
  }

  @Override
  public SdkHttpRequest modifyHttpRequest(
      Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
    SdkHttpRequest request = context.httpRequest();
    return off ? request.toBuilder().removeHeader("Expect").build() : request;
  }

  /** Returns a body that measures the wait before it is sent. */
  ContentStreamProvider watched(byte[] body) {
    return body.length < FROM_BYTES || off
        ? ContentStreamProvider.fromByteArrayUnsafe(body)
        : () -> new WatchedBody(body);
  }

  private void waited(Duration wait) {
    if (!off && wait.compareTo(IN_VAIN) >= 0) {
      off = true;
      log.info(
          LogEvent.EXPECT_NOT_ANSWERED,
          "bucket {}: no 100 Continue within {} ms, as from a proxy that does not"
              + " know Expect: 100-continue; bodies are sent without asking from now on",
          bucket,
          wait.toMillis());
    }
  }

  /** Opened when the request's headers are sent, and read once the body may be sent. */
  private final class WatchedBody extends ByteArrayInputStream {
    private final long openedAt = ticker.nanos();
    private boolean isRead;

    WatchedBody(byte[] body) {
      super(body);
    }

    @Override
    public synchronized int read(byte[] into, int offset, int most) {
      begin();
      return super.read(into, offset, most);
    }

    @Override
    public synchronized int read() {
      begin();
      return super.read();
    }

    private void begin() {
      if (!isRead) {
        isRead = true;
        waited(Duration.ofNanos(ticker.nanos() - openedAt));
      }
    }
  }
}
