package dev.jdyno.load.journey;

import java.util.List;
import java.util.random.RandomGenerator;

/// Gives each user of a session its script.
public interface Scripts {
    /// The script of one user.
    Script script(int user, RandomGenerator random);

    /// Names of all steps by number; empty if there is only one kind of request.
    List<String> stepNames();
}
