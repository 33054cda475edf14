package dev.jdyno.cluster;

/// What an agent does for one group in one role. Made when the group's invitation has come, closed
/// when the group has ended or its founder is gone.
public interface Duty extends AutoCloseable {
    /// Which of the roles this is.
    Facts.Role role();

    /// Adds what it does with the founder's messages; called once, before the group is joined.
    void handle(Handlers handlers);

    /// The group is joined: from now on it may send to {@link Group#founder}, and should look at
    /// {@link Group#isFounderSilent}. What fails on threads of its own it reports with {@link
    /// Group#fail}.
    void begin(Group group);

    /// Ends everything it has begun, whatever becomes of the group.
    @Override
    void close();
}
