/*
 * Hexadecimal digits, of either case.
 */
#ifndef WEFT_HEX_H
#define WEFT_HEX_H

/* -1: it is none. */
static inline int weft_hex_digit(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif /* WEFT_HEX_H */
