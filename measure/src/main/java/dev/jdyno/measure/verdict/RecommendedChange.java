package dev.jdyno.measure.verdict;

import java.util.List;

/// The change of a recommendation: its name, its values, and its text. Everything that documents
/// contain about it (`id`, `change`, `changes`, `tryable`) is derived from this value.
public sealed interface RecommendedChange {
    /// The name of the change; its id is that of the recommendation.
    ChangeName name();

    /// The settings and their new values, as far as they are known. A tuner can apply each {@link
    /// Change.Launch} among them. Empty only in older results, which do not have them.
    List<Change> values();

    /// The change in one line.
    WrittenChange written();

    /// The change as text; empty if the sentence of the recommendation is sufficient.
    default String text() {
        return written().text(values());
    }

    /// True if the change can be tried without changing code.
    default boolean isSetting() {
        return this instanceof Setting;
    }

    /// A flag, the size of a pool, or another setting. It can be tried without changing code.
    record Setting(ChangeName name, List<Change> values, WrittenChange written)
            implements RecommendedChange {
        public Setting {
            values = List.copyOf(values);
        }
    }

    /// A change of the code, of the system or of another service. Its values may be flags for a
    /// diagnosis, or a size for which the service does not have enough memory yet.
    record ByHand(ChangeName name, List<Change> values, WrittenChange written)
            implements RecommendedChange {
        public ByHand {
            values = List.copyOf(values);
        }
    }

    /// Reads a stored change.
    ///
    /// @param id id of the name
    /// @param text the change in one line
    /// @param setting whether it can be tried without changing code
    static RecommendedChange read(String id, String text, List<Change> values, boolean setting) {
        ChangeName name = ChangeName.of(id);
        WrittenChange written = WrittenChange.read(text, values);
        return setting ? new Setting(name, values, written) : new ByHand(name, values, written);
    }
}
