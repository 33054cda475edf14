/// Files in folders that others can write: opened relative to a handle of their folder, never
/// through a link, and checked before they are read. All other packages access the files of a
/// target, and the folders shared with it, only through this one.
///
/// A path refers to whatever another user puts there between two accesses; a handle (an open
/// descriptor) refers to one file. So a path is resolved once, to a handle, and all further access
/// uses the handle.
///
/// jdyno's own files use this package, too: {@link dev.jdyno.files.PrivateFolder} and {@link
/// dev.jdyno.files.PrivateFiles} create files that only their owner can read.
@NullMarked
package dev.jdyno.files;

import org.jspecify.annotations.NullMarked;
