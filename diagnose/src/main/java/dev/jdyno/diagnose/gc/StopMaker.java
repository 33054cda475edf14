package dev.jdyno.diagnose.gc;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Profile;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The application's method that was found asking the JVM to stop: for thread dumps, deadlocks, a
/// heap dump, a diagnostic command, other classes. Off the profiles, which see every thread; one
/// that asks from outside (`jcmd`, `jmap`) is in none.
///
/// @param caller nearest to the JDK's method
/// @param asks the JDK's method
/// @param share of the samples of all threads, of that profile in which it is most
public record StopMaker(String caller, String asks, double share) {
    private static final Pattern ASKS =
            Pattern.compile(
                    "sun\\.management\\.ThreadImpl\\.(dump|find\\w*Deadlocked|getThreadInfo)\\w*"
                            + "|java\\.lang\\.Thread\\.(dumpThreads|getAllStackTraces|getThreads)"
                            + "|(com\\.)?sun\\.management\\.(internal\\.)?(DiagnosticCommandImpl"
                            + "\\.executeDiagnosticCommand|HotSpotDiagnostic\\.dumpHeap0?)"
                            + "|sun\\.instrument\\.InstrumentationImpl"
                            + "\\.(retransform|redefine|getAllLoaded)\\w*");

    /// Share of the samples below which it may have been found by chance.
    private static final double SEEN_FROM = 0.02;

    private record Found(String caller, String asks) {}

    /// The one found most.
    public static Optional<StopMaker> in(Insight insight) {
        return insight.profiles().stream()
                .filter(p -> p.root().samples() > 0)
                .flatMap(p -> {
                    Map<Found, Double> found = new HashMap<>();
                    find(p.root(), "", found);
                    return found.entrySet().stream()
                            .map(e ->
                                    new StopMaker(
                                            e.getKey().caller(),
                                            e.getKey().asks(),
                                            e.getValue() / p.root().samples()));
                })
                .filter(m -> m.share() >= SEEN_FROM)
                .max(Comparator.comparingDouble(StopMaker::share));
    }

    private static void find(Profile.Node at, String caller, Map<Found, Double> found) {
        if (ASKS.matcher(at.frame()).matches()) {
            if (!caller.isEmpty()) {
                found.merge(new Found(caller, at.frame()), (double) at.samples(), Double::sum);
            }
            return;
        }
        boolean own = !Profile.isOfTheJdk(at.frame()) && at.frame().indexOf('.') > 0;
        String next = own && !at.frame().contains("$$Lambda") ? at.frame() : caller;
        at.children().forEach(child -> find(child, next, found));
    }

    /// What it does, as a sentence.
    public Sentence says() {
        return Sentence.format(
                "%s does it: %.0f %% of the samples of all threads found it in %s.",
                Sentence.name(caller), share * 100, Sentence.name(asks));
    }
}
