package dev.jdyno.report.terminal;

import java.util.List;

/// Lines that one sentence of each kind may take, and what-ifs that are shown; 0: none is.
record Room(
        int name,
        int says,
        int note,
        int evidence,
        int recommendation,
        int how,
        int place,
        int knee,
        int runnerUp,
        int whatIfs) {
    /// The first with which a result fits is taken; the last always does.
    static final List<Room> ALL =
            List.of(
                    new Room(2, 8, 3, 4, 6, 3, 3, 4, 3, 2),
                    new Room(2, 8, 3, 4, 6, 3, 3, 3, 2, 1),
                    new Room(2, 8, 3, 4, 6, 3, 3, 3, 2, 0),
                    new Room(2, 8, 3, 4, 6, 3, 3, 3, 0, 0),
                    new Room(2, 8, 2, 3, 6, 2, 3, 2, 0, 0),
                    new Room(2, 8, 2, 2, 5, 2, 2, 2, 0, 0),
                    new Room(2, 5, 1, 2, 4, 2, 2, 2, 0, 0),
                    new Room(2, 4, 1, 1, 2, 2, 1, 2, 0, 0),
                    new Room(1, 3, 1, 1, 1, 2, 1, 2, 0, 0));
}
