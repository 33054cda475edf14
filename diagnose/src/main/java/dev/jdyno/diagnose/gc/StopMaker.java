package dev.jdyno.diagnose.gc;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Profile;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The application method that asked the JVM to stop: for thread dumps, deadlocks, a heap dump, a
/// diagnostic command, class redefinition. It comes from the profiles, which contain every thread.
/// A request from another process (`jcmd`, `jmap`) is not in the profiles.
///
/// @param caller the application method nearest to the JDK's method
/// @param asks the JDK's method
/// @param share share of the samples of all threads, in the profile in which it is highest
public record StopMaker(String caller, String asks, double share) {
    private static final Pattern ASKS =
            Pattern.compile(
                    "sun\\.management\\.ThreadImpl\\.(dump|find\\w*Deadlocked|getThreadInfo)\\w*"
                            + "|java\\.lang\\.Thread\\.(dumpThreads|getAllStackTraces|getThreads)"
                            + "|(com\\.)?sun\\.management\\.(internal\\.)?(DiagnosticCommandImpl"
                            + "\\.executeDiagnosticCommand|HotSpotDiagnostic\\.dumpHeap0?)"
                            + "|sun\\.instrument\\.InstrumentationImpl"
                            + "\\.(retransform|redefine|getAllLoaded)\\w*");

    /// Minimum share of the samples. A smaller share may be chance.
    private static final double SEEN_FROM = 0.02;

    private record Found(String caller, String asks) {}

    /// Returns the most frequent such method and its request.
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

    /// Returns a sentence about the method and its request.
    public Sentence says() {
        return Sentence.format(
                "%s requests these stops: %.0f %% of the samples of all threads found it in %s.",
                Sentence.name(caller), share * 100, Sentence.name(asks));
    }
}
