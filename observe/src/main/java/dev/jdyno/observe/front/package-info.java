/// Web servers in front of the target (nginx, Apache httpd, HAProxy): their limits.
@NullMarked
package dev.jdyno.observe.front;

import org.jspecify.annotations.NullMarked;
