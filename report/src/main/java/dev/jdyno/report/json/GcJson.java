package dev.jdyno.report.json;

import dev.jdyno.gclog.GcComparison;
import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.sums.Analysis;
import java.io.StringWriter;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// Writes the JSON documents about GC logs (docs/json.md). Their keys are the components of {@link
/// GcForm} and {@link GcComparisonForm} in their order, and those of {@link GcForm#KEYS}. A value
/// that is missing in the log is null.
///
/// Records are written by the streaming generator: data binding takes longer to start than a small
/// log takes to read (0.70 instead of 0.49 s for a whole `jdyno gc` of 8 kB of JSON, median of 12).
public final class GcJson {
    private GcJson() {}

    /// @param qps requests per second that the log's JVM served, to compute the bytes per request
    ///   (request memory, F7)
    /// @param diagnoses problems that were found, the worst first
    /// @param withheld true if too little of the log was understood to diagnose
    public static String write(
            Analysis a, OptionalDouble qps, List<GcDiagnosis> diagnoses, boolean withheld) {
        return text(GcForm.of(a, qps, diagnoses, withheld));
    }

    /// The document of a comparison of two logs.
    public static String comparison(GcComparison compared) {
        return text(GcComparisonForm.of(compared));
    }

    private static String text(Record document) {
        var text = new StringWriter();
        try (JsonGenerator json =
                new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            write(json, document);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, @Nullable Object value) {
        switch (value) {
            case Optional<?> maybe -> write(json, maybe.orElse(null));
            case List<?> items -> {
                json.writeStartArray();
                items.forEach(item -> write(json, item));
                json.writeEndArray();
            }
            case Map<?, ?> named -> {
                json.writeStartObject();
                named.forEach((key, of) -> {
                    json.writeName(String.valueOf(key));
                    write(json, of);
                });
                json.writeEndObject();
            }
            case Double number -> json.writeNumber(rounded(number));
            case Long number -> json.writeNumber(number);
            case Integer number -> json.writeNumber(number);
            case Boolean flag -> json.writeBoolean(flag);
            case String text -> json.writeString(text);
            case null -> json.writeNull();
            default -> write(json, values(value));
        }
    }

    private static Map<String, Object> values(Object of) {
        Keys<?> keys = GcForm.KEYS.get(of.getClass());
        if (keys != null) {
            return keys.valuesOf(of);
        }
        if (!of.getClass().isRecord()) {
            throw new IllegalArgumentException("no form for " + of.getClass());
        }
        Map<String, Object> values = new LinkedHashMap<>();
        for (RecordComponent part : of.getClass().getRecordComponents()) {
            try {
                values.put(part.getName(), part.getAccessor().invoke(of));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("a component of " + of.getClass(), e);
            }
        }
        return values;
    }

    /// Rounds a value to a millionth. Further digits of sums of binary fractions are meaningless.
    private static double rounded(double value) {
        return Math.abs(value) > 1e12 ? value : Math.round(value * 1e6) / 1e6;
    }
}
