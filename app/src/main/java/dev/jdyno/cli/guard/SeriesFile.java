package dev.jdyno.cli.guard;

import dev.jdyno.foreign.ForeignText;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Figures from elsewhere, in the order of time: a CSV file with or without names of its columns,
/// or a JSON list of numbers, bare or under `series`.
final class SeriesFile {
    private SeriesFile() {}

    /// @param column its name, or its number from 1; empty: the last one that has numbers
    /// @throws UserError when it cannot be read, or holds something else than numbers
    static double[] read(Path file, Optional<String> column) {
        try {
            byte[] content = ForeignText.bytes(file);
            return file.toString().endsWith(".json")
                    ? json(file, content)
                    : csv(file, ForeignText.decode(content), column);
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

    private static double[] csv(Path file, String text, Optional<String> column) {
        var problems = new Problems();
        List<String> lines = text.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).toList();
        if (lines.isEmpty()) {
            problems.add(file.toString(), "it is empty", "write a number a line");
            problems.throwIfAny(file.toString());
        }
        List<String> first = cells(lines.getFirst());
        boolean named = first.stream().noneMatch(c -> number(c).isPresent());
        List<String> sample = cells(lines.get(named && lines.size() > 1 ? 1 : 0));
        int at = column(file, column, named ? first : List.of(), sample, problems);
        List<Double> values = new ArrayList<>();
        for (int i = named ? 1 : 0; i < lines.size() && at >= 0; i++) {
            List<String> cells = cells(lines.get(i));
            String cell = at < cells.size() ? cells.get(at) : "";
            int line = i + 1;
            number(cell)
                    .ifPresentOrElse(
                            values::add,
                            () ->
                                    problems.add(
                                            file + " row " + line,
                                            "'" + cell + "' is not a number",
                                            "leave out rows that were not measured"));
        }
        problems.throwIfAny(file.toString());
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.split("[,;\t]", -1)).map(String::strip).toList();
    }

    private static int column(
            Path file,
            Optional<String> wanted,
            List<String> names,
            List<String> sample,
            Problems problems) {
        if (wanted.isPresent()) {
            int byName = names.indexOf(wanted.get());
            int at =
                    byName >= 0 || !wanted.get().matches("\\d{1,6}")
                            ? byName
                            : Integer.parseInt(wanted.get()) - 1;
            if (at < 0 || at >= sample.size()) {
                problems.add(
                        "--column " + wanted.get(),
                        "there is no such column in " + file,
                        names.isEmpty()
                                ? "give a number from 1 to " + sample.size()
                                : "give one of " + String.join(", ", names));
                return -1;
            }
            return at;
        }
        for (int i = sample.size() - 1; i >= 0; i--) {
            if (number(sample.get(i)).isPresent()) {
                return i;
            }
        }
        problems.add(file.toString(), "no column has numbers", "write a number a line");
        return -1;
    }

    private static Optional<Double> number(String text) {
        try {
            double value = Double.parseDouble(text);
            return Double.isFinite(value) ? Optional.of(value) : Optional.empty();
        } catch (NumberFormatException none) {
            return Optional.empty();
        }
    }
}
