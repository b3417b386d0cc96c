package dev.recorder.capture;

import java.util.List;

/**
 * What is read to find the entities that rows name.
 *
 * @param grants statements that let the triggers' function read what it has to
 * @param looksUp whether entities are looked up in other rows, which may be changed by others at
 *     the same time
 * @param idText how an id becomes text
 */
public record EntitySource(List<String> grants, boolean looksUp, TextEncoding idText) {
  public EntitySource {
    grants = List.copyOf(grants);
  }
}
