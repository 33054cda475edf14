package dev.jdyno.plan;

import java.util.Map;
import java.util.Optional;

/// The original texts in a plan's file of the values that came from environment variables: `Bearer
/// ${TOKEN}`. The record of a run shows these texts.
///
/// @param texts original texts, by their key and by the value that they resulted in
public record Written(Map<Place, String> texts) {
    static final Written NONE = new Written(Map.of());

    /// @param key path of the key in the plan, `headers.Authorization`
    /// @param value value that was read at this key; a different value has another source, such as
    ///   an option
    record Place(String key, Object value) {}

    public Written {
        texts = Map.copyOf(texts);
    }

    Optional<String> text(String key, Object value) {
        return Optional.ofNullable(texts.get(new Place(key, value)));
    }
}
