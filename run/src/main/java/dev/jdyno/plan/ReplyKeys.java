package dev.jdyno.plan;

import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.Until;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The keys of a plan for the observation of replies: `until: '[DONE]'`, `events: true`, `trace:
/// true`, and `trace: {url: 'http://tempo/trace/{id}'}`.
final class ReplyKeys {
    private ReplyKeys() {}

    static ReplyRules read(YamlMap top, Map<String, String> headers) {
        Optional<Until> until = top.value("until", Until::parse, Until.FORM);
        boolean events = top.value("events", PlanValues::flag, "write true or false").orElse(false);
        Optional<String> url = Optional.empty();
        boolean trace = false;
        if (top.has("trace") && !top.isValue("trace")) {
            YamlMap map = top.map("trace").orElseThrow();
            url = map.value("url", ReplyRules::requireTemplate, "write 'http://tempo/trace/{id}'");
            if (!map.has("url")) {
                map.problem("url", "missing", "add url: 'http://tempo/trace/{id}'");
            }
            map.close();
            trace = true;
        } else if (top.has("trace")) {
            trace = top.value("trace", PlanValues::flag, "write true or {url: …}").orElse(false);
        }
        boolean own =
                headers.keySet().stream()
                        .anyMatch(h -> h.toLowerCase(Locale.ROOT).equals("traceparent"));
        if (trace && own) {
            top.problem("trace", "headers has a traceparent, too", "leave one of them out");
        }
        if (top.has("drive") && (until.isPresent() || events || trace)) {
            top.problem(
                    until.isPresent() ? "until" : events ? "events" : "trace",
                    Drive.OWN_REQUESTS,
                    "leave it out");
        }
        return new ReplyRules(events, until, trace, url);
    }

    static void write(PlanPen pen, ReplyRules rules) {
        rules.until().ifPresent(u -> pen.line("until", pen.text("until", u.form())));
        if (rules.chunks()) {
            pen.line("events", pen.scalar("events", true));
        }
        if (rules.trace()) {
            pen.line(
                    "trace",
                    rules.traceUrl()
                            .map(u -> "{url: " + pen.text("trace.url", u) + "}")
                            .orElseGet(() -> pen.scalar("trace", true)));
        }
    }
}
