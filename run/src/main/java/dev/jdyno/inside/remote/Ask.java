package dev.jdyno.inside.remote;

import dev.jdyno.inside.Span;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.MethodName;
import dev.jdyno.measure.thread.Profile;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A request of a coordinator to an observing agent. All times are on the agent's clock. No request
/// changes the target, and all that is started in it for observation ends with the session. Each
/// text in a request is parsed before it is used. {@link Pace} limits requests that stop the
/// target.
sealed interface Ask {
    Duration LONGEST_WINDOW = Duration.ofMinutes(10);
    int MAX_DUMPS = 1000;
    Duration MIN_BETWEEN_DUMPS = Duration.ofMillis(5);
    int MAX_STAGES = 100;
    int MAX_METHODS = 10_000;
    int MAX_POOLS = 10_000;
    int MAX_TEXT = 300;

    private static void require(boolean allowed) {
        if (!allowed) {
            throw new IllegalArgumentException("out of range");
        }
    }

    private static void requireWindow(Duration window) {
        require(window.isPositive() && window.compareTo(LONGEST_WINDOW) <= 0);
    }

    /// Begins a session.
    ///
    /// @param which JVM of the agent's host: empty for the only one, `pid=17`, `port=8080`,
    ///   `name=shop`
    record Open(String which) implements Ask {
        public Open {
            require(which.length() <= MAX_TEXT);
        }
    }

    /// Starts a command of the agent's own list; answered by {@link Wire.Launched}. Ends what the
    /// session observed before.
    ///
    /// @param name of the command in that list
    record Launch(String name) implements Ask {
        public Launch {
            require(LaunchName.isName(name));
        }
    }

    /// Begins to observe the started service once it listens. The answer is a list. It is empty
    /// until the service listens, and then has one {@link Wire.Opened}.
    record Begin() implements Ask {}

    /// Asks whether the observed JVM runs.
    record Alive() implements Ask {}

    /// Ends the session, all that was started in the target, and a service that was started for it.
    record Close() implements Ask {}

    /// Ends the windows in progress; each returns the data so far.
    record Stop() implements Ask {}

    /// Ends one window of counters and begins the next, at that instant, or at once if it is past.
    record Cut(long atNanos) implements Ask {}

    record Facts() implements Ask {}

    record TakeBack() implements Ask {}

    record AtRest() implements Ask {}

    record Heap() implements Ask {}

    record Killed() implements Ask {}

    record BeginLook(URI asked, boolean profile) implements Ask {
        public BeginLook {
            require(asked.toString().length() <= MAX_TEXT);
        }
    }

    record EndLook() implements Ask {}

    record Sample(Duration window, int dumps) implements Ask {
        public Sample {
            requireWindow(window);
            require(dumps >= 0 && dumps <= MAX_DUMPS);
            // each dump stops the target's threads
            require(MIN_BETWEEN_DUMPS.multipliedBy(dumps).compareTo(window) <= 0);
        }
    }

    record Growth(Duration apart) implements Ask {
        public Growth {
            requireWindow(apart);
        }
    }

    record ProfileWindow(Profile.Kind kind, Duration window) implements Ask {
        public ProfileWindow {
            requireWindow(window);
        }
    }

    record Exceptions(Duration window) implements Ask {
        public Exceptions {
            requireWindow(window);
        }
    }

    record Stages(List<MethodName> methods, Duration window) implements Ask {
        public Stages {
            methods = List.copyOf(methods);
            requireWindow(window);
            require(methods.size() <= MAX_STAGES);
        }
    }

    record FinishRecording() implements Ask {}

    record RefineGc(GcActivity counted, Span round, long requests) implements Ask {}

    record CodeThatRan(Set<String> pools, Span round, Optional<Span> nearby) implements Ask {
        public CodeThatRan {
            pools = Set.copyOf(pools);
            require(pools.size() <= MAX_POOLS);
        }
    }

    record CpuSamples(Span span, double cores) implements Ask {}

    record Waits(Span span, int concurrency, double qps) implements Ask {}

    record CallRates(Span span, int concurrency, double qps) implements Ask {}

    record Origins() implements Ask {}

    record Allocations(Span span, int concurrency, double qps) implements Ask {}

    record Pinned(Span span, int concurrency, double qps) implements Ask {}

    record Lines(Set<String> methods) implements Ask {
        public Lines {
            methods = Set.copyOf(methods);
            require(methods.size() <= MAX_METHODS);
        }
    }

    record Logging() implements Ask {}
}
