package dev.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Java in documents compiles, as it stands there. */
class SnippetsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```java\\n(.*?)^ *```");
  private static final Pattern UNIT = Pattern.compile("(?s)package ([\\w.]+);.*?class (\\w+).*");

  /** What a snippet may use without saying where it comes from. */
  private static final String AROUND =
      """
      package snippets;
      import dev.recorder.handoff.*;
      import dev.recorder.leadership.*;
      import dev.recorder.lock.*;
      import dev.recorder.lock.postgres.*;
      import dev.recorder.lock.redis.*;
      import dev.recorder.machine.*;
      import dev.recorder.machine.settings.*;
      import dev.recorder.operate.*;
      import dev.recorder.operate.orders.*;
      import dev.recorder.operate.site.*;
      import dev.recorder.postgres.*;
      import dev.recorder.producer.*;
      import dev.recorder.producer.postgres.*;
      import dev.recorder.reader.*;
      import dev.recorder.requests.*;
      import dev.recorder.requests.handlers.*;
      import dev.recorder.s3.*;
      import dev.recorder.slotlog.*;
      import java.nio.file.Path;
      import java.security.Security;
      import java.sql.Connection;
      import java.time.Duration;
      import java.util.*;
      import java.util.concurrent.locks.Lock;
      import javax.net.ssl.SSLContext;
      import javax.sql.DataSource;
      abstract class Snippet%d {
        interface Storage { void write(Object part, long token); }
        Storage storage;
        Sessions sessions;
        DataSource dataSource;
        AdvisoryLocks locks;
        abstract boolean moreToDo();
        abstract Object nextPart();
        abstract void closeTheBooks();
        abstract void runUntilStopped(Machine machine);
        abstract void stopWorking(Object... why);
        abstract void work(Object token);
        abstract void writeReport();
        void snippet() throws Exception {
      %s
        }
      }
      """;

  @TempDir private Path classes;

  private static final class Source extends SimpleJavaFileObject {
    private final String where;
    private final String text;

    Source(String name, String where, String text) {
      super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
      this.where = where;
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }

    @Override
    public String toString() {
      return where;
    }
  }

  @Test
  void everySnippetOfADocumentCompiles() throws IOException {
    List<Source> sources = sources();
    assertThat(sources).hasSizeGreaterThan(8);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of(
              "-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
      boolean compiles =
          compiler
              .getTask(said, files, null, options, null, List.<JavaFileObject>copyOf(sources))
              .call();

      assertThat(compiles).as("%s%n%s", sources, said).isTrue();
    }
  }

  private static List<Source> sources() throws IOException {
    List<Source> sources = new ArrayList<>();
    for (Path document : documents()) {
      Matcher block = BLOCK.matcher(Files.readString(document));
      while (block.find()) {
        String code = block.group(1);
        String where = document.getFileName() + " at " + block.start();
        Matcher unit = UNIT.matcher(code);
        int number = sources.size();
        sources.add(
            unit.matches()
                ? new Source(unit.group(1) + "." + unit.group(2), where, code)
                : new Source("snippets.Snippet" + number, where, AROUND.formatted(number, code)));
      }
    }
    return sources;
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> root = Files.list(ROOT);
        Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(root, docs).filter(file -> file.toString().endsWith(".md")).toList();
    }
  }
}
