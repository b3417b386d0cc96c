package dev.recorder.app.cli;

import java.security.Security;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How long this process keeps what the name service said. A failover of RDS moves the endpoint's
 * name to another address: with the JVM's own 30 s, whoever connects again would ask the old server
 * for as long.
 *
 * <p>Without effect once a name was looked up, and where an operator has set something else.
 */
final class NameCache {
  static final String SECONDS = "5";

  private static final String TTL = "networkaddress.cache.ttl";
  private static final String NEGATIVE_TTL = "networkaddress.cache.negative.ttl";

  /** What the JDK's own file says, and so not asked for by anybody. */
  private static final String NEGATIVE_OF_THE_JDK = "10";

  private NameCache() {}

  /** To be called before the first name is looked up. */
  static void limit() {
    limits(Security::getProperty, System::getProperty).forEach(Security::setProperty);
  }

  /** The security properties to set, given those that are, and the system properties. */
  static Map<String, String> limits(
      UnaryOperator<@Nullable String> security, UnaryOperator<@Nullable String> system) {
    Map<String, String> limits = new TreeMap<>();
    if (isUnset(security.apply(TTL)) && isUnset(system.apply("sun.net.inetaddr.ttl"))) {
      limits.put(TTL, SECONDS);
    }
    String negative = security.apply(NEGATIVE_TTL);
    if ((isUnset(negative) || NEGATIVE_OF_THE_JDK.equals(negative))
        && isUnset(system.apply("sun.net.inetaddr.negative.ttl"))) {
      limits.put(NEGATIVE_TTL, SECONDS);
    }
    return limits;
  }

  private static boolean isUnset(@Nullable String property) {
    return property == null || property.isBlank();
  }
}
