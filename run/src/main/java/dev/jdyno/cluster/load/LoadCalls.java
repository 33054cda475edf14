package dev.jdyno.cluster.load;

import dev.jdyno.cluster.Kind;
import dev.jdyno.cluster.Payload;

/// What the one that runs a load says to its agents, and what they answer.
final class LoadCalls {
    private static final int SMALL = 4 << 10;

    /// A workload with its data rows.
    private static final int MOST_ASSIGNMENT = 32 << 20;

    /// Histograms of a window, and the statistics of each named request.
    private static final int MOST_WINDOW = 8 << 20;

    /// @param transport how the agent talks to its kernel
    record Ready(String transport) {}

    /// @param lease that it is about
    record Done(long lease) {}

    /// @param atNanos on the agent's clock, when the window ends
    record Cut(long lease, long atNanos) {}

    static final Kind.Call<Assignment, Ready> ASSIGN =
            new Kind.Call<>(
                    new Kind<>(100, "Assignment", MOST_ASSIGNMENT, Assignment.PAYLOAD),
                    Kind.json(101, SMALL, Ready.class));

    static final Kind.Call<LevelOrder, Done> LEVEL =
            new Kind.Call<>(
                    Kind.json(102, SMALL, LevelOrder.class), Kind.json(103, SMALL, Done.class));

    /// Answered with a window as text.
    static final Kind.Call<Cut, String> CUT =
            new Kind.Call<>(
                    Kind.json(104, SMALL, Cut.class),
                    new Kind<>(105, "window", MOST_WINDOW, Payload.TEXT));

    /// Ends the lease.
    static final Kind<Done> END = Kind.json(106, SMALL, Done.class);

    private LoadCalls() {}
}
