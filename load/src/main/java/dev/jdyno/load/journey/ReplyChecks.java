package dev.jdyno.load.journey;

import dev.jdyno.load.journey.Script.Judgement;
import dev.jdyno.load.reply.ReplyText;
import dev.jdyno.measure.load.Workload.Check;
import dev.jdyno.measure.load.Workload.Step;
import dev.jdyno.measure.load.Workload.Take;
import dev.jdyno.measure.text.BoundedMatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Holds a reply against the checks of its step and takes the values out of it.
final class ReplyChecks {
    private ReplyChecks() {}

    static Judgement judge(Step step, int status, ReplyText reply, Map<String, String> values) {
        boolean statusChecked = step.checks().stream().anyMatch(c -> c instanceof Check.Status);
        if (!statusChecked && status >= 400) {
            return Judgement.BAD_STATUS;
        }
        if (!hold(step.checks(), status, reply)) {
            return Judgement.CHECK_FAILED;
        }
        for (Take take : step.takes()) {
            Optional<String> value = value(take, reply);
            if (value.isEmpty()) {
                return Judgement.CHECK_FAILED;
            }
            values.put(take.name(), value.get());
        }
        return Judgement.GOOD;
    }

    /// Whether a reply fulfils all of them.
    static boolean hold(List<Check> checks, int status, ReplyText reply) {
        for (Check check : checks) {
            if (!holds(check, status, reply)) {
                return false;
            }
        }
        return true;
    }

    private static boolean holds(Check check, int status, ReplyText reply) {
        return switch (check) {
            case Check.Status(int wanted) -> status == wanted;
            case Check.Contains(String text) -> reply.bodyText().contains(text);
            case Check.JsonEquals(String pointer, String value) ->
                    json(reply, pointer).filter(value::equals).isPresent();
            case Check.BodyAtLeast(long bytes) -> reply.bodyBytes() >= bytes;
            case Check.HeaderEquals(String name, String value) ->
                    reply.header(name).filter(value::equals).isPresent();
        };
    }

    private static Optional<String> value(Take take, ReplyText reply) {
        return switch (take) {
            case Take.Header(_, String header) -> reply.header(header);
            case Take.Json(_, String pointer) -> json(reply, pointer);
            case Take.Regex(_, var pattern) -> BoundedMatch.first(pattern, reply.bodyText());
        };
    }

    private static Optional<String> json(ReplyText reply, String pointer) {
        try {
            JsonNode node = JsonMapper.shared().readTree(reply.bodyArray()).at(pointer);
            return node.isMissingNode()
                    ? Optional.empty()
                    : Optional.of(node.isValueNode() ? node.asString() : node.toString());
        } catch (JacksonException notJson) {
            return Optional.empty();
        }
    }
}
