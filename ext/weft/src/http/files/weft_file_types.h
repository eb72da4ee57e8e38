/*
 * The media types of files, by their extensions.
 */
#ifndef WEFT_FILE_TYPES_H
#define WEFT_FILE_TYPES_H

/* Reads the system's table. Once; without it only what the web needs has a type of its own. */
void weft_file_types_load(void);
/* The value of Content-Type, which lives as long as the process. Never NULL. */
const char *weft_file_type(const char *path);

#endif /* WEFT_FILE_TYPES_H */
