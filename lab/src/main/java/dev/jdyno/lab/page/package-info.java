/// The service of the experiments on what a page costs to write: encoding, templates, size (E14 to
/// E16).
@NullMarked
package dev.jdyno.lab.page;

import org.jspecify.annotations.NullMarked;
