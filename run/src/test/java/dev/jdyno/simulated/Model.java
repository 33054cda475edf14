package dev.jdyno.simulated;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A service described by formulas. A request uses CPU and waits. Words of the launch command
/// change both.
///
/// @param cores available to the service
/// @param cpuMs CPU time of a request
/// @param waitMs waiting time of a request, during which it holds no resource
/// @param factors of the CPU time, by the word of the command that causes them
/// @param refused words with which the JVM does not start
/// @param wrong words with which the service replies wrongly
/// @param cancelled word that makes another word ineffective → the ineffective word
/// @param startNoise standard deviation of the CPU time between starts, as a share
/// @param blockNoise standard deviation between blocks of one start, as a share
/// @param pool that limits how many requests wait at once; empty without one
public record Model(
        double cores,
        double cpuMs,
        double waitMs,
        Map<String, Double> factors,
        Set<String> refused,
        Set<String> wrong,
        Map<String, String> cancelled,
        double startNoise,
        double blockNoise,
        Optional<Pool> pool) {
    /// A pool. A request holds one member while it waits.
    ///
    /// @param word beginning of the command's word that sets its size
    /// @param preset its size without that word
    public record Pool(String word, int preset) {}

    public Model(
            double cores,
            double cpuMs,
            double waitMs,
            Map<String, Double> factors,
            Set<String> refused,
            Set<String> wrong,
            Map<String, String> cancelled,
            double startNoise,
            double blockNoise) {
        this(
                cores,
                cpuMs,
                waitMs,
                factors,
                refused,
                wrong,
                cancelled,
                startNoise,
                blockNoise,
                Optional.empty());
    }

    public Model {
        factors = Map.copyOf(factors);
        refused = Set.copyOf(refused);
        wrong = Set.copyOf(wrong);
        cancelled = Map.copyOf(cancelled);
    }

    /// The first case of experiment E1, on 2 cores.
    public static Model e1() {
        return new Model(2, 10, 80, Map.of(), Set.of(), Set.of(), Map.of(), 0.013, 0.01);
    }

    /// The same with a word that changes the CPU time.
    public Model with(String word, double factor) {
        Map<String, Double> more = new HashMap<>(factors);
        more.put(word, factor);
        return new Model(
                cores,
                cpuMs,
                waitMs,
                more,
                refused,
                wrong,
                cancelled,
                startNoise,
                blockNoise,
                pool);
    }

    /// The same with a word with which the JVM does not start.
    public Model refusing(String word) {
        Set<String> more = new HashSet<>(refused);
        more.add(word);
        return new Model(
                cores,
                cpuMs,
                waitMs,
                factors,
                more,
                wrong,
                cancelled,
                startNoise,
                blockNoise,
                pool);
    }

    /// The same with a word with which the service replies wrongly.
    public Model wrongWith(String word) {
        Set<String> more = new HashSet<>(wrong);
        more.add(word);
        return new Model(
                cores,
                cpuMs,
                waitMs,
                factors,
                refused,
                more,
                cancelled,
                startNoise,
                blockNoise,
                pool);
    }

    /// The same with other noise.
    public Model noise(double starts, double blocks) {
        return new Model(
                cores, cpuMs, waitMs, factors, refused, wrong, cancelled, starts, blocks, pool);
    }

    /// The same with a word that makes another word ineffective.
    public Model cancelling(String by, String without) {
        return new Model(
                cores,
                cpuMs,
                waitMs,
                factors,
                refused,
                wrong,
                Map.of(by, without),
                startNoise,
                blockNoise,
                pool);
    }

    /// Requests per second that its pool allows; unlimited without a pool.
    double poolQps(List<String> words) {
        return pool.map(p ->
                        words.stream()
                                .filter(w -> w.startsWith(p.word()))
                                .map(w -> w.substring(p.word().length()))
                                .mapToInt(Integer::parseInt)
                                .reduce((_, last) -> last)
                                .orElse(p.preset()))
                .map(size -> size / waitMs * 1000)
                .orElse(Double.POSITIVE_INFINITY);
    }

    double cpuMs(List<String> words) {
        return words.stream()
                .filter(w -> words.stream().noneMatch(by -> w.equals(cancelled.get(by))))
                .mapToDouble(w -> factors.getOrDefault(w, 1.0))
                .reduce(cpuMs, (a, b) -> a * b);
    }
}
