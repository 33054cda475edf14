package dev.jdyno.simulated;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A service as formulas: a request needs CPU and waits for something else; words of the launch
/// command change both.
///
/// @param cores that it may use
/// @param cpuMs of a request
/// @param waitMs of a request, in which it holds nothing
/// @param factors of the CPU time, by the word of the command that brings them
/// @param refused words with which the JVM does not start
/// @param wrong words with which it answers wrongly
/// @param cancelled words without effect while another word is there, by that word
/// @param startNoise standard deviation of the CPU time between starts, as a share
/// @param blockNoise and between blocks of one start
/// @param pool that bounds how many requests wait at once; empty without one
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
    /// A pool that a request holds a part of while it waits.
    ///
    /// @param word beginning of the word of the command that sets its size
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

    /// E1's first case, on 2 cores.
    public static Model e1() {
        return new Model(2, 10, 80, Map.of(), Set.of(), Set.of(), Map.of(), 0.013, 0.01);
    }

    /// The same where a word changes the CPU time.
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

    /// The same where a JVM with that word does not start.
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

    /// The same where the service with that word answers wrongly.
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

    /// The same where one word has no effect beside another.
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

    /// Requests per second that its pool lets through; unlimited without one.
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
