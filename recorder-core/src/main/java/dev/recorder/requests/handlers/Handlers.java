package dev.recorder.requests.handlers;

import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.RequestHandler;
import dev.recorder.requests.RequestHandlerProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The installed providers of handlers, by name. Immutable. */
public final class Handlers {
  private final List<RequestHandlerProvider> providers;

  private Handlers(List<RequestHandlerProvider> providers) {
    this.providers = List.copyOf(providers);
  }

  /**
   * Returns the providers that {@link ServiceLoader} finds with the calling thread's context class
   * loader.
   *
   * @throws HandlerException if one of them cannot be loaded
   */
  public static Handlers installed() {
    return in(Thread.currentThread().getContextClassLoader());
  }

  /** As {@link #installed()}, with another class loader. */
  static Handlers in(ClassLoader loader) {
    List<RequestHandlerProvider> providers = new ArrayList<>();
    try {
      ServiceLoader.load(RequestHandlerProvider.class, loader).forEach(providers::add);
    } catch (ServiceConfigurationError | LinkageError broken) {
      throw new HandlerException(
          "a handler's provider on the class path cannot be loaded: " + broken.getMessage(),
          broken);
    }
    return new Handlers(providers);
  }

  static Handlers of(RequestHandlerProvider... providers) {
    return new Handlers(List.of(providers));
  }

  /**
   * Creates a handler for {@code recorder} with the provider called {@code name}.
   *
   * @throws HandlerException if there is not exactly one such provider, or it creates no handler
   */
  public RequestHandler create(String name, RecorderName recorder) {
    RequestHandlerProvider provider = provider(name);
    return ask(
        () -> Objects.requireNonNull(provider.create(recorder), "it returned null"),
        () ->
            "handler '%s' (%s) could not be made for recorder %s"
                .formatted(name, provider.getClass().getName(), recorder));
  }

  /** Calls a user's code; any throwable is the user's fault, not the host's. */
  private static <T> T ask(Callable<T> users, Supplier<String> what) {
    try {
      return users.call();
    } catch (VirtualMachineError fatal) {
      throw fatal;
    } catch (Throwable failed) {
      throw new HandlerException(what.get() + ": " + HandlerFault.words(failed), failed);
    }
  }

  private static String nameOf(RequestHandlerProvider provider) {
    return ask(
        () -> String.valueOf(provider.name()),
        () -> "handler provider " + provider.getClass().getName() + " does not say its name");
  }

  private RequestHandlerProvider provider(String name) {
    List<RequestHandlerProvider> named =
        providers.stream().filter(provider -> name.equals(nameOf(provider))).toList();
    if (named.isEmpty()) {
      throw new HandlerException("no handler '%s'; %s".formatted(name, known()));
    }
    if (named.size() > 1) {
      throw new HandlerException(
          "%d handlers have the name '%s': %s; take all but one out of the class path"
              .formatted(
                  named.size(),
                  name,
                  named.stream()
                      .map(provider -> provider.getClass().getName())
                      .sorted()
                      .collect(Collectors.joining(", "))));
    }
    return named.get(0);
  }

  private String known() {
    if (providers.isEmpty()) {
      return "there is none on the class path; docs/handlers.md says how to add one";
    }
    return providers.stream()
        .map(Handlers::nameOf)
        .sorted()
        .distinct()
        .collect(Collectors.joining(", ", "there are: ", ""));
  }
}
