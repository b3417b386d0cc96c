package dev.recorder.testing;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Names of types that say too little: whoever reads one of them has to ask whose it is. */
public final class SimpleNames {
  /** Those that may be of several types, each with its reason. */
  private static final Map<String, String> ALLOWED =
      Map.of("Builder", "it is never read without the type that it builds");

  private SimpleNames() {}

  /** Each name that more than one type has, nested ones included, and which types these are. */
  public static List<String> ofSeveral(JavaClasses classes) {
    Map<String, List<String>> types =
        classes.stream()
            .filter(SimpleNames::isNamed)
            .collect(
                Collectors.groupingBy(
                    JavaClass::getSimpleName,
                    TreeMap::new,
                    Collectors.mapping(JavaClass::getName, Collectors.toList())));
    return types.entrySet().stream()
        .filter(each -> each.getValue().size() > 1 && !ALLOWED.containsKey(each.getKey()))
        .map(each -> each.getKey() + ": " + String.join(", ", each.getValue()))
        .toList();
  }

  private static boolean isNamed(JavaClass type) {
    return !type.isAnonymousClass() && !type.getSimpleName().equals("package-info");
  }
}
