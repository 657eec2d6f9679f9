// Files of a folder that somebody else may have made. Its links could lead to any file of the user,
// and a pipe in it would stop the program: what is written here goes to a file of this name, and
// what is read is a regular file.
#pragma once
#include <stdbool.h>
#include <stdio.h>

// A stream or a descriptor; NULL or -1: see errno, which regular_file_reason explains.
//
// Reads. Follows links.
FILE *regular_file_read(const char *path);
int regular_file_open(const char *path); // the same
// Makes a new file for writing. One of that name, or a link, is removed first.
FILE *regular_file_create(const char *path);
int regular_file_make(const char *path); // the same, for reading too
// Opens a file for changes, O_APPEND or O_CREAT if `flags` say so. Neither a symbolic link nor a
// file with other names (hard links): a change would show under these.
int regular_file_change(const char *path, int flags);
FILE *regular_file_append(const char *path); // the same, which creates it

const char *regular_file_reason(int error); // strerror, or "it is a symbolic link"
