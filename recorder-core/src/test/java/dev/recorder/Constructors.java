package dev.recorder;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Constructors that somebody wrote; a record has one of all its components anyway. */
final class Constructors {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  private Constructors() {}

  static Iterable<? extends JavaFileObject> files(List<Path> sources) {
    return COMPILER.getStandardFileManager(null, null, null).getJavaFileObjectsFromPaths(sources);
  }

  static Iterable<JavaFileObject> text(String source) {
    return List.of(
        new SimpleJavaFileObject(URI.create("text:/Some.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        });
  }

  /** Whose they are. */
  static List<String> ofMoreThan(int parameters, Iterable<? extends JavaFileObject> sources)
      throws IOException {
    JavacTask task = (JavacTask) COMPILER.getTask(null, null, null, null, null, sources);
    List<String> found = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) {
      String file = Path.of(unit.getSourceFile().getName()).getFileName().toString();
      new TreeScanner<Void, Void>() {
        @Override
        public Void visitClass(ClassTree type, Void none) {
          for (Tree member : type.getMembers()) {
            if (member instanceof MethodTree method
                && method.getName().contentEquals("<init>")
                && method.getParameters().size() > parameters
                && !isCanonical(method, type)) {
              found.add(type.getSimpleName() + " of " + file);
            }
          }
          return super.visitClass(type, null);
        }
      }.scan(unit, null);
    }
    return found;
  }

  private static boolean isCanonical(MethodTree constructor, ClassTree type) {
    return type.getKind() == Tree.Kind.RECORD
        && types(constructor.getParameters()).equals(types(components(type)));
  }

  private static List<VariableTree> components(ClassTree type) {
    return type.getMembers().stream()
        .filter(VariableTree.class::isInstance)
        .map(VariableTree.class::cast)
        .filter(field -> !field.getModifiers().getFlags().contains(Modifier.STATIC))
        .toList();
  }

  private static List<String> types(List<? extends VariableTree> variables) {
    return variables.stream().map(variable -> variable.getType().toString()).toList();
  }
}
