package dev.recorder.app.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * The build before this one: the classes that know the schema's number, compiled anew with the
 * number before. To stand before the product's jars on the class path.
 */
public final class OlderBuild {
  private static final String NUMBER = "int VERSION = ";
  private static final String USE = "Schema.VERSION";

  private OlderBuild() {}

  /** Compiles them into a folder, from the sources beside this module. */
  public static Path compileInto(Path folder) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("sources"));
    List<String> line = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d"));
    line.add(Files.createDirectories(folder.resolve("classes")).toString());
    line.addAll(List.of("-cp", jars()));
    int number = 0;
    for (Path file : thatKnowTheNumber()) {
      String text = Files.readString(file);
      String older = text.replaceFirst("(" + NUMBER + ")(\\d+)", "$1($2 - 1)");
      Path copy = sources.resolve(Integer.toString(number++)).resolve(file.getFileName());
      Files.createDirectories(copy.getParent());
      line.add(Files.writeString(copy, older).toString());
    }
    if (ToolProvider.getSystemJavaCompiler().run(null, null, null, line.toArray(String[]::new))
        != 0) {
      throw new IllegalStateException("the older build cannot be compiled");
    }
    return folder.resolve("classes");
  }

  /** The compiler does not know the star of a launcher's class path. */
  private static String jars() throws IOException {
    try (Stream<Path> jars = Files.list(Product.lib())) {
      return jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
  }

  private static List<Path> thatKnowTheNumber() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String module : List.of("recorder-core", "recorder-app")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          String text = Files.readString(file);
          if (text.contains(USE) || file.endsWith("schema/Schema.java")) {
            found.add(file);
          }
        }
      }
    }
    return found;
  }
}
