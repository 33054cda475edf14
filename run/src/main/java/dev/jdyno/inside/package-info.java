/// What a trial sees of its target from within: counters, thread samples, recordings, facts. One
/// interface with two sides behind it: a target on this machine, and one that an agent observes on
/// another host.
@NullMarked
package dev.jdyno.inside;

import org.jspecify.annotations.NullMarked;
