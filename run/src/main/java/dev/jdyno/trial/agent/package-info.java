/// An agent's part in a trial on another host: JVMs of this host that it observes or starts.
@NullMarked
package dev.jdyno.trial.agent;

import org.jspecify.annotations.NullMarked;
