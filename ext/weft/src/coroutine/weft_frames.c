/*
 * Reads the VM's frames by way of the kernel, which says so where an address leads nowhere.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "coroutine/weft_frames.h"

#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Longer names are cut. */
#define NAME 200

bool weft_read_mapped(void *to, const void *from, size_t length)
{
	struct iovec local = {to, length}, remote = {(void *) from, length};

	return from && process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t) length;
}

static bool read_name(char name[NAME + 1], const zend_string *from)
{
	zend_string head;

	name[0] = '\0';
	if (!weft_read_mapped(&head, from, offsetof(zend_string, val))) {
		return false;
	}
	size_t length = head.len < NAME ? head.len : NAME;
	if (!weft_read_mapped(name, from->val, length)) {
		return false;
	}
	name[length] = '\0';
	return true;
}

typedef struct {
	char file[NAME + 1], scope[NAME + 1], function[NAME + 1];
	uint32_t line;
} frame_names;

static bool read_place(frame_names *names, const zend_execute_data *frame)
{
	const zend_op_array *code = &frame->func->op_array;
	zend_string *file;
	zend_op at;

	names->line = weft_read_mapped(&at, frame->opline, sizeof(at)) ? at.lineno : 0;
	return weft_read_mapped(&file, &code->filename, sizeof(file)) && read_name(names->file, file);
}

/* `frame` is a copy, what it points to is not. */
static bool read_frame(frame_names *names, const zend_execute_data *frame)
{
	zend_internal_function common; /* what functions of all kinds begin with */
	zend_string *scope;

	memset(names, 0, sizeof(*names));
	if (!weft_read_mapped(&common, frame->func, sizeof(((zend_function *) NULL)->common))) {
		return false;
	}
	if (common.function_name && !read_name(names->function, common.function_name)) {
		return false;
	}
	if (common.scope &&
		(!weft_read_mapped(&scope, &common.scope->name, sizeof(scope)) || !read_name(names->scope, scope))) {
		return false;
	}
	return common.type == ZEND_INTERNAL_FUNCTION || read_place(names, frame);
}

static size_t put_frame(char *to, size_t room, uint32_t number, const frame_names *names)
{
	const char *scope = names->scope, *function = names->function;
	char place[NAME + 16] = "";
	int length;

	if (names->file[0]) {
		snprintf(place, sizeof(place), "%s(%u)%s", names->file, names->line, function[0] ? " in " : "");
	}
	length = snprintf(to, room, "\n#%u %s%s%s%s%s", number, place, scope, scope[0] ? "::" : "", function,
		function[0] ? "()" : "");
	return length < 0 || (size_t) length >= room ? 0 : (size_t) length;
}

size_t weft_frames_describe(const zend_execute_data *innermost, char *to, size_t room)
{
	const zend_execute_data *next = innermost;
	zend_execute_data frame;
	frame_names names;
	size_t length = 0;
	uint32_t told = 0;

	to[0] = '\0';
	/* those without a function, or a name, are the engine's own; a list that is broken may be a ring */
	for (uint32_t i = 0; i < 4 * WEFT_FRAMES_MOST && told < WEFT_FRAMES_MOST; i++, next = frame.prev_execute_data) {
		if (!weft_read_mapped(&frame, next, sizeof(frame)) || (frame.func && !read_frame(&names, &frame))) {
			break;
		}
		if (frame.func && (names.file[0] || names.function[0])) {
			size_t more = put_frame(to + length, room - length, told++, &names);
			length += more;
			if (!more) {
				break;
			}
		}
	}
	to[length] = '\0';
	return length;
}
