package dev.jdyno.load.loop;

/// No load: connections stay as they are.
final class IdlePacing implements Pacing {}
