/// Files in folders that others can write: opened relative to a handle of their folder, never
/// through a link, and looked at before they are read. All other packages reach the files of a
/// target, and the folders that are shared with it, only through this one.
///
/// A path names whatever another user puts there between two looks; a handle (an open descriptor)
/// names one file. So a path is resolved once, to a handle, and everything is done by it.
///
/// What jdyno itself keeps goes through here, too: {@link dev.jdyno.files.PrivateFolder} and {@link
/// dev.jdyno.files.PrivateFiles} make what only its owner can read.
@NullMarked
package dev.jdyno.files;

import org.jspecify.annotations.NullMarked;
