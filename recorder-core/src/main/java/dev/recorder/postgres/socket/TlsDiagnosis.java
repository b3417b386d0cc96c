package dev.recorder.postgres.socket;

import java.io.FileNotFoundException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.GT;

/**
 * Explains why a session could not be encrypted as required, if waiting does not help. The driver
 * reports these failures with the SQLSTATEs of a broken network.
 */
public final class TlsDiagnosis {
  /** The driver's message in the language of this process. */
  private static final String NO_TLS = GT.tr("The server does not support SSL.");

  /** The driver's message, which is compared up to the first name in it. */
  private static final String OTHER_HOST =
      GT.tr("The hostname {0} could not be verified by hostnameverifier {1}.", "\0", "\0");

  private TlsDiagnosis() {}

  /** Returns the remedy; null if this is another failure. */
  public static @Nullable String remedy(SQLException e, String host, @Nullable String sslmode) {
    if (isCausedBy(CertificateNotYetValidException.class, e)
        || isCausedBy(CertificateExpiredException.class, e)) {
      return null; // The clock may be set, or the certificate renewed: waiting may help.
    }
    String said = String.valueOf(e.getMessage());
    String mode = "sslmode = " + sslmode;
    if (said.equals(NO_TLS)) {
      return mode
          + " demands TLS, which this server does not offer: correct endpoint or port, set ssl = on"
          + " at the server, or choose another sslmode in [postgredb]";
    } else if (isOtherHost(said)) {
      return mode
          + " demands a certificate for "
          + host
          + ": give the endpoint as the certificate has it";
    } else if (isCausedBy(FileNotFoundException.class, e)) {
      return mode + " needs sslrootcert, the certificate authority's file, which cannot be read";
    } else if (isCausedBy(GeneralSecurityException.class, e)) {
      return mode
          + " demands a certificate that sslrootcert vouches for: give the certificate authority's"
          + " file, or the right endpoint";
    }
    return null;
  }

  private static boolean isOtherHost(String said) {
    int name = OTHER_HOST.indexOf('\0');
    return name > 0 && said.startsWith(OTHER_HOST.substring(0, name));
  }

  private static boolean isCausedBy(Class<? extends Exception> kind, SQLException e) {
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      if (kind.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }
}
