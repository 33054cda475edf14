package dev.jdyno.load.loop;

/// No load. Connections stay open but idle.
final class IdlePacing implements Pacing {}
