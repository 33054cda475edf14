/// Two hundred thousand user records made bytes and records again, in several forms (E17).
@NullMarked
package dev.jdyno.lab.records;

import org.jspecify.annotations.NullMarked;
