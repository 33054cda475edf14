package dev.jdyno.report.html;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.load.EventTimes;
import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.ReplyTimes;
import dev.jdyno.measure.load.SlowRequest;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.Highlights;
import java.util.List;
import java.util.Optional;

/// The data of the templates about parts of replies: first byte, events, the slowest requests.
///
/// @param rounds rounds in the order of the page
/// @param traceUrl address of a trace in the user's viewer
public record RepliesPage(List<Round> rounds, Optional<String> traceUrl) {
    /// The figures of one round.
    public record Row(Round round, ReplyTimes replies) {
        /// The load of the round, such as `N=16`.
        public String load() {
            return Highlights.load(round);
        }

        public Optional<EventTimes> events() {
            return replies.events();
        }

        public List<SlowRequest> slowest() {
            return replies.slowest();
        }

        private boolean isWorthSaying() {
            return replies.isEarly(round.rtMs()) || events().isPresent();
        }
    }

    public RepliesPage {
        rounds = List.copyOf(rounds);
    }

    private List<Row> all() {
        return rounds.stream().flatMap(r -> r.replies().stream().map(t -> new Row(r, t))).toList();
    }

    /// All rounds with parts. Empty unless a round has a first byte clearly before the last one, or
    /// a reply that is a stream of events.
    public List<Row> rows() {
        List<Row> rows = all();
        return rows.stream().anyMatch(Row::isWorthSaying) ? rows : List.of();
    }

    /// True if a reply was a stream of events.
    public boolean hasEvents() {
        return all().stream().anyMatch(r -> r.events().isPresent());
    }

    /// Rounds whose slowest requests have trace ids.
    public List<Row> traced() {
        return all().stream().filter(r -> !r.slowest().isEmpty()).toList();
    }

    /// The address of a request's trace; empty if the viewer is unknown or the id is not valid.
    public Optional<String> link(SlowRequest request) {
        return traceUrl.flatMap(t -> ReplyRules.link(t, request.traceId()));
    }

    public String figure(double v) {
        return Figures.number(v);
    }
}
