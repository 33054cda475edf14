package dev.jdyno.experiment.labelled;

import dev.jdyno.measure.text.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// One labelled case of the lab: the planted bottleneck and the correct answers.
///
/// @param also further correct names, if more than one name describes the case
/// @param where text that the named place must contain; empty if the place does not count
/// @param needs what the machine must provide beyond a JVM; empty if nothing
public record PlantedCase(
        String name,
        String bottleneck,
        List<String> also,
        String where,
        int concurrency,
        List<String> jvmArgs,
        int jdkMin,
        int jdkMax,
        String needs,
        String note) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    public PlantedCase {
        also = List.copyOf(also);
        jvmArgs = List.copyOf(jvmArgs);
    }

    /// @param line one line of `planted --list`
    static PlantedCase parse(String line) {
        try {
            JsonNode n = JSON.readTree(line);
            return new PlantedCase(
                    n.path("case").asString(),
                    n.path("bottleneck").asString(),
                    strings(n.path("also")),
                    n.path("whereContains").asString(),
                    n.path("concurrency").asInt(),
                    strings(n.path("jvmArgs")),
                    n.path("jdkMin").asInt(),
                    n.path("jdkMax").asInt(),
                    n.path("needs").asString(),
                    n.path("note").asString());
        } catch (JacksonException e) {
            throw UserError.target(
                            "the lab's catalogue cannot be read",
                            "this line is no case: " + line,
                            "build lab and tool from the same source")
                    .causedBy(e);
        }
    }

    private static List<String> strings(JsonNode array) {
        List<String> all = new ArrayList<>();
        array.forEach(n -> all.add(n.asString()));
        return all;
    }

    boolean showsOn(int jdk) {
        return jdk >= jdkMin && jdk <= jdkMax;
    }

    /// True if `verdict` is a correct name.
    boolean isRight(String verdict) {
        return verdict.equals(bottleneck) || also.contains(verdict);
    }

    boolean isRightPlace(String verdict) {
        return where.isEmpty()
                || verdict.toLowerCase(Locale.ROOT).contains(where.toLowerCase(Locale.ROOT));
    }
}
