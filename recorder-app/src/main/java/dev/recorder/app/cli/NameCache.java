package dev.recorder.app.cli;

import java.security.Security;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Limits how long the JVM caches DNS answers. A failover of RDS moves the endpoint's name to
 * another address. With the JVM's default of 30 s, new sessions would go to the old server for that
 * time.
 *
 * <p>Has no effect after the first look-up of a name. Does not override a setting of the operator.
 */
final class NameCache {
  static final String SECONDS = "5";

  private static final String TTL = "networkaddress.cache.ttl";
  private static final String NEGATIVE_TTL = "networkaddress.cache.negative.ttl";

  /** The value in the JDK's own file, which is no choice of the operator. */
  private static final String NEGATIVE_OF_THE_JDK = "10";

  private NameCache() {}

  /** Sets the limits. Call this before the first name is looked up. */
  static void limit() {
    limits(Security::getProperty, System::getProperty).forEach(Security::setProperty);
  }

  /** Returns the security properties to set, from the present ones and the system properties. */
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
