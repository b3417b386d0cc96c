package dev.recorder.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.recorder.app.cli.output.StandardOutput;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.daemon.Stores;
import dev.recorder.store.DocumentStore;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/**
 * Loads the classes that a start needs, so that a JVM can list them for a class archive ({@code
 * -XX:DumpLoadedClassList}). The launcher runs it once for each JVM. The commands ask for a
 * database on a port of this host where no server listens, and for a store that this class serves
 * and that is empty. Their output is discarded.
 */
public final class TrainingRun {
  private static final String CONFIG =
      """
      [machine]
      name = training
      [postgredb]
      endpoint = 127.0.0.1
      port = 1
      database = none
      user = none
      password = none
      sslmode = disable
      [s3]
      region = us-east-1
      endpoint = http://127.0.0.1:%d
      bucket = none
      prefix = none
      [recorder:none]
      lockid = 1
      primary = true
      """;

  private static final Pattern LOADED =
      Pattern.compile("(recorder-(app|core)|postgresql|ascii-table|jackson-(core|databind))-");

  /** Classes of the driver and of Jackson that Recorder does not use. */
  private static final Pattern RARE =
      Pattern.compile(
          "META-INF|postgresql/(translation|xa|ds|osgi|replication|largeobject|shaded|gss|sspi)"
              + "|databind/(ext|jsonschema|exc)");

  private TrainingRun() {}

  public static void main(String[] args) throws IOException, ConfigException {
    // Without these the S3 client asks the network for credentials.
    System.setProperty("aws.accessKeyId", "none");
    System.setProperty("aws.secretAccessKey", "none");
    Path config =
        Files.createTempFile(
            "recorder",
            ".ini",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    HttpServer store =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    store.createContext("/", TrainingRun::answer);
    store.start();
    try {
      Files.writeString(config, CONFIG.formatted(store.getAddress().getPort()));
      String file = config.toString();
      List.of(
              List.of("--help"),
              List.of("status", "-c", file),
              List.of("check", "--online", "-c", file),
              List.of("cat", "none", "-c", file))
          .forEach(TrainingRun::run);
      askStore(ConfigFile.load(config));
      loadClasses();
    } finally {
      store.stop(0);
      Files.delete(config);
    }
  }

  /** Answers as an empty store that accepts every PUT. */
  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      exchange.getResponseHeaders().set("ETag", "\"none\"");
      exchange.sendResponseHeaders(exchange.getRequestMethod().equals("PUT") ? 200 : 404, -1);
    }
  }

  private static void askStore(RecorderConfig config) {
    try (Stores stores = new Stores(config)) {
      DocumentStore store = stores.of(config.recorders().get(0));
      store.putIfAbsent("none", new byte[1], Map.of());
      store.head("none");
      store.get("none");
      store.expiringRules("none/");
    }
  }

  private static void run(List<String> words) {
    StandardOutput out = new StandardOutput(OutputStream.nullOutputStream());
    String[] args = words.toArray(String[]::new);
    var unused =
        RecorderCommand.execute(
            RecorderCommand.commandLine(OutputStream.nullOutputStream(), args)
                .setOut(out.writer())
                .setErr(new PrintWriter(OutputStream.nullOutputStream(), true, UTF_8)),
            out,
            args);
  }

  /**
   * Loads all further classes that a daemon or a command may need, of Recorder, of the driver and
   * of the libraries for output. Does not run their code. Without this, classes would be missing,
   * since commands without a database end early.
   */
  private static void loadClasses() throws IOException {
    for (String jar : System.getProperty("java.class.path").split(":", -1)) {
      if (LOADED.matcher(Path.of(jar).getFileName().toString()).lookingAt()) {
        try (JarFile open = new JarFile(jar)) {
          open.stream().map(JarEntry::getName).forEach(TrainingRun::load);
        }
      }
    }
  }

  private static void load(String entry) {
    if (entry.endsWith(".class") && !entry.endsWith("-info.class") && !RARE.matcher(entry).find()) {
      String name = entry.substring(0, entry.length() - ".class".length()).replace('/', '.');
      try {
        Class.forName(name, false, TrainingRun.class.getClassLoader());
      } catch (ClassNotFoundException | LinkageError notForThisJvm) {
        // Left to the JVM that needs the class.
      }
    }
  }
}
