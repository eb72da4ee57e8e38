/*
 * How an input of this fuzzer is laid out.
 */
#ifndef INPUT_H
#define INPUT_H

/* Bytes at its beginning that choose limits, pieces, and what becomes of the client. */
#define CONTROL 3

#endif /* INPUT_H */
