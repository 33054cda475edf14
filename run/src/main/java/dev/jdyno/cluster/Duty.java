package dev.jdyno.cluster;

/// The work of an agent for one group in one role. It is created when the group's invitation
/// arrives, and closed when the group has ended or its founder is gone.
public interface Duty extends AutoCloseable {
    /// The role of this duty.
    Facts.Role role();

    /// Registers the handlers for the founder's messages; called once, before the group is joined.
    void handle(Handlers handlers);

    /// Called when the group is joined. From now on the duty may send to {@link Group#founder}, and
    /// should check {@link Group#isFounderSilent}. It reports failures on its own threads with
    /// {@link Group#fail}.
    void begin(Group group);

    /// Ends everything that the duty has begun, whatever happens to the group.
    @Override
    void close();
}
