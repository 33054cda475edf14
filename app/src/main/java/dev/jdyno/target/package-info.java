/// The life cycle of the JVM under test: launch, find, attach, ask (jcmd), stop. Interprets
/// nothing.
@NullMarked
package dev.jdyno.target;

import org.jspecify.annotations.NullMarked;
