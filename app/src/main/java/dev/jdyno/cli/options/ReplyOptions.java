package dev.jdyno.cli.options;

import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.Until;
import dev.jdyno.measure.text.Problems;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options for the observation of replies: events of streams, and traces. A given option
/// overrides the plan.
public final class ReplyOptions {
    @Option(
            names = "--reply-until",
            paramLabel = "RULE",
            description =
                    "When a streamed reply is complete: at a text such as [DONE], after '20"
                            + " events', or after a time such as 30s.")
    private @Nullable String until;

    @Option(
            names = "--events",
            description =
                    "Replies other than text/event-stream: each chunk is an event. --reply-until implies"
                            + " this.")
    private boolean events;

    @Option(
            names = "--trace",
            description =
                    "Send a traceparent with each request (W3C Trace Context), and give the trace ids"
                            + " of the slowest.")
    private boolean trace;

    @Option(
            names = "--trace-url",
            paramLabel = "URL",
            description =
                    "With --trace: address of a trace in your viewer, such as"
                            + " http://tempo/trace/{id}.")
    private @Nullable String traceUrl;

    /// @param ofPlan rules that the plan defines
    /// @param headers names of the request's headers
    /// @param driven true if the user's load tool sends the requests
    public ReplyRules over(
            ReplyRules ofPlan, List<String> headers, boolean driven, Problems problems) {
        Optional<Until> rule =
                OptionTexts.optional("--reply-until", until, Until::parse, problems)
                        .or(ofPlan::until);
        Optional<String> template =
                OptionTexts.optional("--trace-url", traceUrl, ReplyRules::requireTemplate, problems)
                        .or(ofPlan::traceUrl);
        var rules =
                new ReplyRules(events || ofPlan.chunks(), rule, trace || ofPlan.trace(), template);
        if (traceUrl != null && !rules.trace()) {
            problems.add("--trace-url", "no request carries a trace id", "add --trace");
        }
        boolean own =
                headers.stream().anyMatch(h -> h.toLowerCase(Locale.ROOT).equals("traceparent"));
        if (rules.trace() && own) {
            problems.add(
                    "--trace",
                    "a header traceparent is given, too, which is the same for all requests",
                    "leave one of them out");
        }
        if (driven && !rules.equals(ReplyRules.NONE)) {
            problems.add(
                    "--reply-until, --events, --trace",
                    "with --drive, the load tool sends its own requests",
                    "leave them out");
        }
        return rules;
    }
}
