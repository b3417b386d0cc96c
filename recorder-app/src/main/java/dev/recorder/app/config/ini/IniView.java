package dev.recorder.app.config.ini;

import java.util.List;
import org.apache.commons.configuration2.HierarchicalConfiguration;
import org.apache.commons.configuration2.INIConfiguration;
import org.apache.commons.configuration2.SubnodeConfiguration;
import org.apache.commons.configuration2.tree.ImmutableNode;

/**
 * The scanned document as an {@link INIConfiguration}: sections by name, values by type. Values are
 * literal: {@code ${…}} is not expanded, and commas do not split a value.
 */
public final class IniView {
  private final INIConfiguration tree = new INIConfiguration();

  public IniView(IniDocument document) {
    tree.addNodes(null, document.sections().values().stream().map(IniView::node).toList());
  }

  /**
   * Returns the section; an absent section is empty, and only the document can tell the difference.
   */
  HierarchicalConfiguration<ImmutableNode> section(String name) {
    SubnodeConfiguration section = tree.getSection(name);
    // A section does not inherit these two from the root.
    section.setInterpolator(null);
    section.setConversionHandler(new IniConversion());
    return section;
  }

  private static ImmutableNode node(IniSection section) {
    List<ImmutableNode> values =
        section.entries().values().stream()
            .filter(entry -> entry.value() != null)
            .map(
                entry ->
                    new ImmutableNode.Builder().name(entry.key()).value(entry.value()).create())
            .toList();
    return new ImmutableNode.Builder().name(section.name()).addChildren(values).create();
  }
}
