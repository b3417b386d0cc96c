package dev.recorder.app.logs;

import dev.recorder.logging.NamedEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/** Finds the event of a log statement. */
final class EventMarkers {
  private EventMarkers() {}

  /** Returns the event among the markers; null if there is none, as in lines of other libraries. */
  static @Nullable NamedEvent markers(@Nullable List<Marker> markers) {
    for (Marker marker : markers == null ? List.<Marker>of() : markers) {
      if (marker instanceof NamedEvent event) {
        return event;
      }
    }
    return null;
  }

  /** Returns the recorder among the statement's arguments; null if there is none. */
  static @Nullable String recorder(@Nullable Marker marker, Object @Nullable [] arguments) {
    if (marker instanceof NamedEvent event && arguments != null) {
      int at = event.fields().indexOf("recorder");
      return at < 0 || at >= arguments.length ? null : String.valueOf(arguments[at]);
    }
    return null;
  }
}
