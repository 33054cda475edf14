package dev.jdyno.load.journey;

import dev.jdyno.load.journey.Script.Judgement;
import dev.jdyno.load.reply.ReplyText;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.Workload.Check;
import dev.jdyno.measure.load.Workload.Step;
import dev.jdyno.measure.load.Workload.Take;
import dev.jdyno.measure.text.BoundedMatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Applies the checks of a step to its reply and extracts the values.
final class ReplyChecks {
    private ReplyChecks() {}

    /// @param values receives the extracted values
    /// @param limited receives the limit that ended the search for a value
    static Judgement judge(
            Step step,
            int status,
            ReplyText reply,
            Map<String, String> values,
            Consumer<SocketFailure> limited) {
        boolean statusChecked = step.checks().stream().anyMatch(c -> c instanceof Check.Status);
        if (!statusChecked && !Judgement.isGood(status)) {
            return Judgement.BAD_STATUS;
        }
        if (!hold(step.checks(), status, reply)) {
            return Judgement.CHECK_FAILED;
        }
        for (Take take : step.takes()) {
            Optional<String> value = value(take, reply, limited);
            if (value.isEmpty()) {
                return Judgement.CHECK_FAILED;
            }
            values.put(take.name(), value.get());
        }
        return Judgement.GOOD;
    }

    /// True if the reply passes all checks.
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

    private static Optional<String> value(
            Take take, ReplyText reply, Consumer<SocketFailure> limited) {
        return switch (take) {
            case Take.Header(_, String header) -> reply.header(header);
            case Take.Json(_, String pointer) -> json(reply, pointer);
            case Take.Regex(_, var pattern) -> {
                BoundedMatch.First first = BoundedMatch.first(pattern, reply.bodyText());
                first.ended().map(ReplyChecks::failure).ifPresent(limited);
                yield first.text();
            }
        };
    }

    private static SocketFailure failure(BoundedMatch.Limit limit) {
        return new SocketFailure(
                ErrorKind.CHECK,
                switch (limit) {
                    case STEPS -> FailureReason.EXPRESSION_STEPS_TOO_MANY;
                    case DEPTH -> FailureReason.EXPRESSION_TOO_DEEP;
                });
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
