package dev.jdyno.report.stacks;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.thread.Profile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/// The JSON file of speedscope.app with one profile of type `sampled` for each profile of a run.
/// Frames are shared; a weight is a number of samples, which has no unit there (`none`).
final class SpeedscopeForm {
    static final String SCHEMA = "https://www.speedscope.app/file-format-schema.json";

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final Map<String, Integer> frames = new LinkedHashMap<>();

    private SpeedscopeForm() {}

    static byte[] of(RunResult.About run, List<Profile> profiles) {
        var form = new SpeedscopeForm();
        List<Map<String, Object>> sampled = profiles.stream().map(form::sampled).toList();
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("$schema", SCHEMA);
        file.put(
                "shared",
                Map.of(
                        "frames",
                        form.frames.keySet().stream().map(name -> Map.of("name", name)).toList()));
        file.put("profiles", sampled);
        file.put("name", Printable.line(run.name()));
        file.put("activeProfileIndex", 0);
        file.put("exporter", "jdyno@" + Printable.line(run.version()));
        return MAPPER.writeValueAsString(file).getBytes(StandardCharsets.UTF_8);
    }

    private Map<String, Object> sampled(Profile profile) {
        List<List<Integer>> samples = new ArrayList<>();
        List<Long> weights = new ArrayList<>();
        long sum = 0;
        for (Stack stack : Stack.of(profile)) {
            samples.add(stack.frames().stream().map(this::index).toList());
            weights.add(stack.samples());
            sum += stack.samples();
        }
        Map<String, Object> sampled = new LinkedHashMap<>();
        sampled.put("type", "sampled");
        sampled.put("name", StackForm.title(profile));
        sampled.put("unit", "none");
        sampled.put("startValue", 0);
        sampled.put("endValue", sum);
        sampled.put("samples", samples);
        sampled.put("weights", weights);
        return sampled;
    }

    private int index(String frame) {
        return frames.computeIfAbsent(frame, _ -> frames.size());
    }
}
