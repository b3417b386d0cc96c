package dev.recorder.app.cli.output;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where results are printed, remembering why that failed: writers keep it to themselves, and a
 * script would take half a table, or none, for the whole.
 *
 * <p>In UTF-8, whatever the locale has: names are others', and of JSON nothing else is one.
 *
 * <p>For one thread.
 */
public final class StandardOutput extends FilterOutputStream {
  private final PrintWriter writer = new PrintWriter(this, false, StandardCharsets.UTF_8);
  private @Nullable IOException failure;

  public StandardOutput(OutputStream out) {
    super(out);
  }

  /** Text for {@link #write}; flushed by {@link #trouble()}. */
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

  /** Why not all was written that was printed; empty if all was, or nobody wanted to read more. */
  public String trouble() {
    writer.flush();
    return failure == null || isReaderGone(failure) ? "" : String.valueOf(failure.getMessage());
  }

  /** Whether whoever read has ended, as {@code head} does when it has read all it wanted. */
  public static boolean isReaderGone(IOException e) {
    String why = String.valueOf(e.getMessage());
    return why.contains("Broken pipe") || why.contains("Connection reset");
  }
}
