package dev.recorder.app.cli.output;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Standard output that remembers the last failure. {@link PrintWriter} hides failures, so that a
 * script would take an incomplete table for a whole one.
 *
 * <p>Always UTF-8: names may have any character, and JSON allows no other encoding.
 *
 * <p>For one thread.
 */
public final class StandardOutput extends FilterOutputStream {
  private final PrintWriter writer = new PrintWriter(this, false, StandardCharsets.UTF_8);
  private @Nullable IOException failure;

  public StandardOutput(OutputStream out) {
    super(out);
  }

  /** Returns a writer of text to this output; flushed by {@link #trouble()}. */
  public PrintWriter writer() {
    return writer;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  /**
   * Returns why output is missing; empty if nothing is missing, or if the reader has closed the
   * pipe.
   */
  public String trouble() {
    writer.flush();
    return failure == null || isReaderGone(failure) ? "" : String.valueOf(failure.getMessage());
  }

  /** Whether the reader has closed the pipe, as {@code head} does. */
  public static boolean isReaderGone(IOException e) {
    String why = String.valueOf(e.getMessage());
    return why.contains("Broken pipe") || why.contains("Connection reset");
  }
}
