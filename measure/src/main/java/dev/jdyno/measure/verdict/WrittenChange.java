package dev.jdyno.measure.verdict;

import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.verdict.Change.Amount;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A recommended change in one line: in the syntax of `jdyno whatif` ({@link WhatIfChange}), as the
/// values themselves, or in words.
public sealed interface WrittenChange
        permits WhatIfChange, WrittenChange.AsValues, WrittenChange.Words {
    /// No text: the sentence of the recommendation is sufficient.
    WrittenChange NOT = new Words("");

    /// The text as a user types it.
    ///
    /// @param values values of the change
    String text(List<Change> values);

    /// The values as they are written on a command line or in a configuration.
    record AsValues() implements WrittenChange {
        @Override
        public String text(List<Change> values) {
            boolean settings = values.stream().allMatch(Change.SystemSetting.class::isInstance);
            return values.stream()
                    .flatMap(v -> value(v).stream())
                    .collect(Collectors.joining(settings ? ", " : " "));
        }

        /// The text of one value; empty if it belongs neither on a command line nor in a
        /// configuration.
        private static Optional<String> value(Change change) {
            return switch (change) {
                case Change.LoggingEdit c -> Optional.of(c.edit());
                case Change.Launch c -> Optional.of(c.written());
                case Change.SystemSetting(String name, Amount.Exactly(String to)) ->
                        Optional.of(name + "=" + to);
                case Change.SystemSetting(String name, Amount.Times(double factor)) ->
                        Optional.of(new WhatIfChange.Scale(name, factor).text(List.of()));
                case Change.SystemSetting(String name, Amount.Larger()) -> Optional.of(name);
                case Change.PoolSize _,
                        Change.Concurrency _,
                        Change.Cores _,
                        Change.Code _,
                        Change.CodeAt _,
                        Change.Outside _ ->
                        Optional.empty();
            };
        }
    }

    /// A text in words that differs from the values.
    record Words(String text) implements WrittenChange {
        @Override
        public String text(List<Change> values) {
            return text;
        }
    }

    /// Reads the text of {@link #text}.
    static WrittenChange read(String text, List<Change> values) {
        if (!text.isEmpty() && new AsValues().text(values).equals(text)) {
            return new AsValues();
        }
        return WhatIfChange.parse(text, new Problems())
                .<WrittenChange>map(c -> c)
                .filter(c -> c.text(values).equals(text))
                .orElseGet(() -> new Words(text));
    }
}
