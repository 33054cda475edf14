/// `jdyno load`: the load engine on the command line, alone or as several processes.
@NullMarked
package dev.jdyno.cli.load;

import org.jspecify.annotations.NullMarked;
