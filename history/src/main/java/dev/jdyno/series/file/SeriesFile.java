package dev.jdyno.series.file;

import dev.jdyno.foreign.ForeignText;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.series.Levels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads figures of another tool, in the order of time: a CSV file with or without column names, or
/// a JSON list of numbers, at the top or under `series`.
public final class SeriesFile {
    private SeriesFile() {}

    /// @param column name or number (from 1) of the column; empty: the last column with numbers
    /// @throws UserError if the file cannot be read, or holds anything other than numbers
    public static double[] read(Path file, Optional<String> column) {
        try {
            byte[] content = ForeignText.bytes(file);
            double[] values =
                    file.toString().endsWith(".json")
                            ? json(file, content)
                            : csv(file, ForeignText.decode(content), column);
            if (values.length > Levels.MAX) {
                throw UserError.usage(
                        file + " has " + values.length + " values",
                        "a series of more than " + Levels.MAX + " takes minutes and gigabytes",
                        "give the last " + Levels.MAX);
            }
            return values;
        } catch (IOException refused) {
            throw UserError.usage(
                            "cannot read " + file,
                            String.valueOf(refused.getMessage()),
                            "give a CSV file, or a JSON list of numbers")
                    .causedBy(refused);
        }
    }

    private static double[] json(Path file, byte[] content) {
        var problems = new Problems();
        List<Double> values = new ArrayList<>();
        try {
            JsonNode top = JsonMapper.shared().readTree(content);
            JsonNode series = top.isObject() ? top.path("series") : top;
            if (!series.isArray()) {
                problems.add(
                        file.toString(), "there is no list of numbers", "write [101, 99, 100]");
            }
            for (int i = 0; i < series.size(); i++) {
                JsonNode item = series.get(i);
                if (item.isNumber() && Double.isFinite(item.doubleValue())) {
                    values.add(item.doubleValue());
                } else {
                    problems.add(
                            file + " [" + i + "]",
                            item + " is not a number",
                            "leave out what was not measured");
                }
            }
        } catch (JacksonException noJson) {
            problems.add(file.toString(), "it is no JSON", "write [101, 99, 100]");
        }
        problems.throwIfAny(file.toString());
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double[] csv(Path file, String text, Optional<String> column)
            throws IOException {
        var problems = new Problems();
        double[] values = SeriesTable.values(file, text, column, problems);
        problems.throwIfAny(file.toString());
        return values;
    }
}
