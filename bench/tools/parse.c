/*
 * What one HTTP request costs Weft's parser, beside the least that anybody must do: look at every byte once.
 *
 *     parse parser|pass TIMES
 *
 * `parser` takes a browser's request apart; `pass` only finds its line ends with memchr(). Prints nanoseconds of CPU
 * time for each.
 */
#include "weft_parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char request[] =
	"GET /articles/2026/11/21/measure-before-you-believe?page=2&order=newest HTTP/1.1\r\n"
	"Host: www.example.com\r\n"
	"User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r\n"
	"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
	"Accept-Language: en-GB,en;q=0.7,de;q=0.3\r\n"
	"Accept-Encoding: gzip, deflate, br\r\n"
	"Referer: https://www.example.com/articles\r\n"
	"Cookie: session=eyJpdiI6IkxQb2p4WjVnPT0iLCJ2YWx1ZSI6Ik1PQ0sifQ; theme=dark\r\n"
	"Connection: keep-alive\r\n"
	"\r\n";

static const weft_parser_limits limits = {
	.max_request_line = 8192, .max_header_bytes = 65536, .max_header_count = 100, .max_body = 1};

static bool refuse(void *arg, const char *data, size_t length)
{
	(void) arg, (void) data, (void) length;
	return false;
}

static size_t with_parser(const char *text, size_t length)
{
	weft_parser parser;
	size_t used = 0;

	weft_parser_init(&parser, &limits, refuse, NULL);
	if (weft_parser_head(&parser, text, length, &used) != WEFT_PARSER_DONE || used != length) {
		fprintf(stderr, "parse: refused: %s\n", parser.message);
		exit(1);
	}
	size_t found = parser.header_count + 1;
	weft_parser_free(&parser);
	return found;
}

static size_t with_pass(const char *text, size_t length)
{
	size_t found = 0;

	for (const char *at = text, *end = text + length; at < end && (at = memchr(at, '\n', (size_t) (end - at))) != NULL; at++) {
		found++;
	}
	return found - 1; /* the empty line is none of the head's */
}

int main(int argc, char **argv)
{
	size_t (*take)(const char *, size_t) = argc == 3 && strcmp(argv[1], "parser") == 0 ? with_parser : with_pass;
	long times = argc == 3 ? atol(argv[2]) : 0;
	size_t lines = 0;
	struct timespec begin, end;

	if (times <= 0) {
		fprintf(stderr, "usage: parse parser|pass TIMES\n");
		return 2;
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	for (long i = 0; i < times; i++) {
		/* So that the compiler does not see that it is always the same text. */
		const char *text = request;
		__asm__ volatile("" : "+r"(text));
		lines += take(text, sizeof request - 1);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	if (lines != 9 * (size_t) times) {
		fprintf(stderr, "parse: 9 lines were expected, %zu found\n", lines / (size_t) times);
		return 1;
	}
	printf("%.2f\n", ((double) (end.tv_sec - begin.tv_sec) * 1e9 + (double) (end.tv_nsec - begin.tv_nsec)) / (double) times);
	return 0;
}
