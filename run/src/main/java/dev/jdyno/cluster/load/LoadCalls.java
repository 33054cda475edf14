package dev.jdyno.cluster.load;

import dev.jdyno.cluster.Kind;
import dev.jdyno.cluster.Payload;

/// The messages of a run to its agents about a load, and the answers.
final class LoadCalls {
    private static final int SMALL = 4 << 10;

    /// Maximum size of an assignment: a workload with its data rows.
    private static final int MAX_ASSIGNMENT = 32 << 20;

    /// Maximum size of a window: its histograms, and the statistics of each named request.
    private static final int MAX_WINDOW = 8 << 20;

    /// @param transport the agent's I/O mechanism
    record Ready(String transport) {}

    /// @param lease to which it applies
    record Done(long lease) {}

    /// @param atNanos end of the window on the agent's clock
    record Cut(long lease, long atNanos) {}

    static final Kind.Call<Assignment, Ready> ASSIGN =
            new Kind.Call<>(
                    new Kind<>(100, "Assignment", MAX_ASSIGNMENT, Assignment.PAYLOAD),
                    Kind.json(101, SMALL, Ready.class));

    static final Kind.Call<LevelOrder, Done> LEVEL =
            new Kind.Call<>(
                    Kind.json(102, SMALL, LevelOrder.class), Kind.json(103, SMALL, Done.class));

    /// The answer is a window as text.
    static final Kind.Call<Cut, String> CUT =
            new Kind.Call<>(
                    Kind.json(104, SMALL, Cut.class),
                    new Kind<>(105, "window", MAX_WINDOW, Payload.TEXT));

    /// Ends the lease.
    static final Kind<Done> END = Kind.json(106, SMALL, Done.class);

    private LoadCalls() {}
}
