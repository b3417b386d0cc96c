package dev.recorder.testing;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import org.gaul.s3proxy.blobstore.S3Exceptions;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/**
 * Makes a PUT with {@code If-Match} atomic on S3Proxy's file system, as it is on S3.
 *
 * <p>By itself it compares the ETag when a PUT begins and replaces the object when its body has
 * come: of 16 racers five were told that they had won. (For {@code If-None-Match} it links the
 * object into place, which is atomic.) Here the ETag is compared once more when the body is there,
 * one PUT after the other.
 */
public final class AtomicReplacement extends ForwardingBlobStore {
  public AtomicReplacement(BlobStore blobs) {
    super(blobs);
  }

  @Override
  public PutObjectResponse putBlob(PutObjectRequest request, InputStream body) {
    if (request.ifMatch() == null) {
      return super.putBlob(request, body);
    }
    InputStream whole = new ByteArrayInputStream(allOf(body));
    synchronized (this) {
      HeadObjectResponse before = blobMetadataIfPresent(request.bucket(), request.key());
      if (before == null || !bare(before.eTag()).equals(bare(request.ifMatch()))) {
        throw S3Exceptions.preconditionFailed(null);
      }
      return super.putBlob(request, whole);
    }
  }

  private static String bare(String etag) {
    return etag.replace("\"", "");
  }

  private static byte[] allOf(InputStream body) {
    try {
      return body.readAllBytes();
    } catch (IOException cut) {
      throw new UncheckedIOException("the client left within its PUT", cut);
    }
  }
}
