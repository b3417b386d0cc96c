package dev.recorder.s3;

import dev.recorder.store.ObjectStore.FetchAnswer;
import dev.recorder.store.ObjectStore.Fetched;
import dev.recorder.store.ObjectStore.NotRead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongPredicate;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Reads a body of an allowed size into an array of exactly that size: a growing array would take
 * three times the memory. S3 states the size. If a server does not, the object is read up to the
 * limit. A body too long for an array is never read.
 */
record SizeLimitedBody(LongPredicate mayRead)
    implements ResponseTransformer<GetObjectResponse, FetchAnswer> {
  /** The longest array that all JVMs can allocate. */
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private static final int PIECE = 1 << 20;

  @Override
  public FetchAnswer transform(GetObjectResponse head, AbortableInputStream body) {
    try {
      Long length = head.contentLength();
      if (length == null) {
        return ofUnknownSize(head, body);
      }
      return isAllowed(length)
          ? fetched(head, bytes(body, length.intValue()))
          : notRead(length, head, body);
    } catch (IOException brokenOff) {
      throw RetryableException.create(String.valueOf(brokenOff.getMessage()), brokenOff);
    }
  }

  private boolean isAllowed(long length) {
    return length <= LONGEST && mayRead.test(length);
  }

  private FetchAnswer ofUnknownSize(GetObjectResponse head, AbortableInputStream body)
      throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    byte[] piece = body.readNBytes(PIECE);
    while (piece.length > 0) {
      long length = (long) read.size() + piece.length;
      if (!isAllowed(length)) {
        return notRead(length, head, body);
      }
      read.writeBytes(piece);
      piece = body.readNBytes(PIECE);
    }
    return fetched(head, read.toByteArray());
  }

  private static FetchAnswer fetched(GetObjectResponse head, byte[] bytes) {
    return new Fetched(bytes, head.metadata(), head.eTag());
  }

  private static FetchAnswer notRead(
      long length, GetObjectResponse head, AbortableInputStream body) {
    body.abort();
    return new NotRead(length, head.metadata(), head.eTag());
  }

  private static byte[] bytes(InputStream body, int length) throws IOException {
    byte[] bytes = new byte[length];
    if (body.readNBytes(bytes, 0, length) < length || body.read() >= 0) {
      throw new IOException("the body has not the " + length + " bytes that were announced");
    }
    return bytes;
  }
}
