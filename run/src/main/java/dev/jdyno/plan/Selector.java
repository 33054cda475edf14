package dev.jdyno.plan;

/// Selects one of the JVMs on an agent's host.
public sealed interface Selector {
    /// `name=shop`, `port=8080`, `pid=17`, `launch=a`; empty for the only one.
    default String text() {
        return switch (this) {
            case Only() -> "";
            case Pid(long pid) -> "pid=" + pid;
            case Port(int port) -> "port=" + port;
            case Name(String name) -> "name=" + name;
            case Launch(String name) -> "launch=" + name;
        };
    }

    /// The only one that the agent may observe; several are a mistake.
    record Only() implements Selector {}

    record Pid(long pid) implements Selector {}

    /// The JVM that listens on this port.
    record Port(int port) implements Selector {}

    /// The JVM whose main class or jar contains the word.
    record Name(String name) implements Selector {}

    /// The one that the agent starts by the command of this name in its own list.
    record Launch(String name) implements Selector {}
}
