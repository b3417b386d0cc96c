package dev.recorder.requests.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.Outcome;
import dev.recorder.requests.RequestHandler;
import dev.recorder.requests.RequestHandlerProvider;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HandlersTest {
  @TempDir private Path folder;

  /** Says which recorder it was made for. */
  public static final class Mail implements RequestHandlerProvider {
    @Override
    public String name() {
      return "mail";
    }

    @Override
    public RequestHandler create(RecorderName recorder) {
      return unit -> new Outcome.Failed("made for " + recorder);
    }
  }

  public static final class OtherMail implements RequestHandlerProvider {
    @Override
    public String name() {
      return "mail";
    }

    @Override
    public RequestHandler create(RecorderName recorder) {
      throw new IllegalStateException("SMTP_HOST is not set");
    }
  }

  public static final class Audit implements RequestHandlerProvider {
    @Override
    public String name() {
      return "audit";
    }

    @Override
    @SuppressWarnings("NullAway") // What a handler in some other language may do.
    public RequestHandler create(RecorderName recorder) {
      return null;
    }
  }

  @Test
  void aHandlerIsFoundByItsNameInAFileOfServices() throws Exception {
    try (URLClassLoader loader =
        NamedHandlers.in(folder, Audit.class.getName(), Mail.class.getName())) {
      RequestHandler handler = Handlers.in(loader).create("mail", Units.CUSTOMERS);

      assertThat(handler.handle(Units.updates(1)))
          .isEqualTo(new Outcome.Failed("made for customers"));
    }
  }

  @Test
  void theContextClassLoaderIsAsked() throws Exception {
    NamedHandlers.inContext(
        folder,
        Mail.class.getName(),
        () -> assertThat(Handlers.installed().create("mail", Units.CUSTOMERS)).isNotNull());
  }

  @Test
  void anUnknownNameIsAnErrorThatNamesThoseThereAre() {
    assertRefused("Mail", new Mail(), new Audit())
        .withMessage("no handler 'Mail'; there are: audit, mail");
  }

  @Test
  void whereThereIsNoneItSaysHowToAddOne() {
    assertRefused("mail")
        .withMessage(
            "no handler 'mail'; there is none on the class path;"
                + " docs/handlers.md says how to add one");
  }

  @Test
  void twoOfOneNameAreAnErrorThatNamesBothClasses() throws Exception {
    assertRefused("mail", new OtherMail(), new Mail(), new Audit())
        .withMessage(
            "2 handlers have the name 'mail': %s, %s; take all but one out of the class path",
            Mail.class.getName(), OtherMail.class.getName());
  }

  @Test
  void aProviderThatMakesNoneIsAnErrorThatSaysWhy() {
    assertRefused("mail", new OtherMail())
        .withMessage(
            "handler 'mail' (%s) could not be made for recorder customers:"
                + " java.lang.IllegalStateException: SMTP_HOST is not set",
            OtherMail.class.getName());
    assertRefused("audit", new Audit()).withMessageEndingWith("it returned null");
  }

  /** As those in other languages may, which do not know of checked exceptions. */
  private static final class Sneaky implements RequestHandlerProvider {
    private final boolean nameless;

    Sneaky(boolean nameless) {
      this.nameless = nameless;
    }

    @Override
    public String name() {
      if (nameless) {
        Sneaky.<RuntimeException>fail();
      }
      return "mail";
    }

    @Override
    public RequestHandler create(RecorderName recorder) {
      Sneaky.<RuntimeException>fail();
      return unit -> new Outcome.Complete();
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> void fail() throws E {
      throw (E) new IOException("no route to host");
    }
  }

  @Test
  void whateverAProviderThrowsIsAnErrorThatSaysWhy() {
    assertRefused("mail", new Sneaky(false))
        .withMessageEndingWith("recorder customers: java.io.IOException: no route to host");
    assertRefused("mail", new Sneaky(true))
        .withMessageEndingWith("does not say its name: java.io.IOException: no route to host");
  }

  @Test
  void aProviderThatCannotBeLoadedIsAnErrorThatNamesIt() throws Exception {
    try (URLClassLoader loader =
        NamedHandlers.in(folder, Mail.class.getName(), "com.example.Missing")) {
      assertThatExceptionOfType(HandlerException.class)
          .isThrownBy(() -> Handlers.in(loader))
          .withMessageStartingWith("a handler's provider on the class path cannot be loaded: ")
          .withMessageContaining("com.example.Missing");
    }
  }

  private static ThrowableAssertAlternative<HandlerException> assertRefused(
      String name, RequestHandlerProvider... providers) {
    return assertThatExceptionOfType(HandlerException.class)
        .isThrownBy(() -> Handlers.of(providers).create(name, Units.CUSTOMERS));
  }
}
