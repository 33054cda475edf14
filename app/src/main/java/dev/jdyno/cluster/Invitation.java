package dev.jdyno.cluster;

/// What a process is asked to join.
///
/// @param group its name, which no other group ever has
/// @param name what the founder calls the one that is invited
/// @param run what the group is for, to be shown
/// @param founder its address in the group: others that are joining must not be taken for it
/// @param host where the founder listens
record Invitation(String group, String name, String run, String founder, String host, int port) {
    private static final int MOST_TEXT = 300;
    private static final int MOST_PORT = 65_535;

    Invitation {
        if (group.isEmpty()
                || group.length() > MOST_TEXT
                || name.isEmpty()
                || name.length() > MOST_TEXT
                || run.length() > MOST_TEXT
                || founder.isEmpty()
                || founder.length() > MOST_TEXT
                || host.isEmpty()
                || host.length() > MOST_TEXT
                || port < 1
                || port > MOST_PORT) {
            throw new IllegalArgumentException("no invitation");
        }
    }
}
