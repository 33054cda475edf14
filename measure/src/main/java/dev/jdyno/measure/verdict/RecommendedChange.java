package dev.jdyno.measure.verdict;

import java.util.List;

/// The change that a recommendation advises: its name, its values, and how it is written. All that
/// documents say of it (`id`, `change`, `changes`, `tryable`) is derived from this one value.
public sealed interface RecommendedChange {
    /// What it does; its id is that of the recommendation.
    ChangeName name();

    /// What it sets and to what, where that is known. A {@link Change.Launch} among them can be
    /// applied by a tuner. Empty only in results of before there were any.
    List<Change> values();

    /// How it is written in one line.
    WrittenChange written();

    /// The same as text; empty where the sentence of the recommendation says everything.
    default String text() {
        return written().text(values());
    }

    /// Whether it can be tried without touching the code.
    default boolean isSetting() {
        return this instanceof Setting;
    }

    /// A flag, the size of a pool, or another setting: it can be tried without touching the code.
    record Setting(ChangeName name, List<Change> values, WrittenChange written)
            implements RecommendedChange {
        public Setting {
            values = List.copyOf(values);
        }
    }

    /// Work in the code, in the system or in another service. Its values may be flags that help to
    /// look, or a size for which there is no room yet.
    record ByHand(ChangeName name, List<Change> values, WrittenChange written)
            implements RecommendedChange {
        public ByHand {
            values = List.copyOf(values);
        }
    }

    /// As a document keeps it.
    ///
    /// @param id of the name
    /// @param text how it is written
    /// @param setting whether it can be tried without touching the code
    static RecommendedChange read(String id, String text, List<Change> values, boolean setting) {
        ChangeName name = ChangeName.of(id);
        WrittenChange written = WrittenChange.read(text, values);
        return setting ? new Setting(name, values, written) : new ByHand(name, values, written);
    }
}
