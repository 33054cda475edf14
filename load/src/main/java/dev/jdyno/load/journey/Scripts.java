package dev.jdyno.load.journey;

import java.util.List;
import java.util.random.RandomGenerator;

/// Gives each user of a session what it sends.
public interface Scripts {
    /// The script of one user.
    Script script(int user, RandomGenerator random);

    /// The names of all steps, by their number; none when there is one kind of request.
    List<String> stepNames();
}
