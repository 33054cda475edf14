package dev.jdyno.load;

/// No load: connections stay as they are.
final class IdlePacing implements Pacing {}
