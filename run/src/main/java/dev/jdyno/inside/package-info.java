/// A trial's view of the inside of its target: counters, thread samples, recordings, facts. One
/// interface has two implementations: a target on this machine, and one that an agent observes on
/// another host.
@NullMarked
package dev.jdyno.inside;

import org.jspecify.annotations.NullMarked;
