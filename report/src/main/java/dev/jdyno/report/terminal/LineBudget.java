package dev.jdyno.report.terminal;

import java.util.List;

/// Maximum lines for each kind of sentence below the first screen, and maximum number of parts of
/// the breakdown, recommendations and what-ifs; 0: none is shown.
record LineBudget(
        int says,
        int note,
        int evidence,
        int proof,
        int parts,
        int place,
        int recommendation,
        int knee,
        int runnerUp,
        int whatIfs) {
    /// The budgets from the largest to the smallest. The first one with which a result fits is
    /// used, otherwise the last one.
    static final List<LineBudget> ALL =
            List.of(
                    new LineBudget(8, 3, 4, 3, 4, 3, 6, 4, 3, 2),
                    new LineBudget(8, 3, 4, 3, 4, 3, 6, 3, 2, 1),
                    new LineBudget(8, 3, 4, 3, 4, 3, 6, 3, 2, 0),
                    new LineBudget(8, 3, 4, 3, 4, 3, 6, 3, 0, 0),
                    new LineBudget(8, 2, 3, 3, 4, 3, 4, 2, 0, 0),
                    new LineBudget(8, 2, 2, 3, 3, 2, 2, 2, 0, 0),
                    new LineBudget(8, 1, 1, 2, 3, 2, 0, 2, 0, 0),
                    new LineBudget(6, 1, 1, 2, 3, 1, 0, 2, 0, 0),
                    new LineBudget(4, 1, 0, 1, 2, 1, 0, 2, 0, 0),
                    new LineBudget(2, 1, 0, 1, 2, 1, 0, 1, 0, 0));
}
