/*
 * Starts a zygote with its descriptors and its configuration, and ends what is left of a generation.
 */
#include "server/weft_generation.h"
#include "server/weft_notify.h"
#include "server/weft_spare.h"
#include "server/weft_unix_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Descriptors move above this before they take their final numbers, so that none overwrites another. */
#define WEFT_OUT_OF_THE_WAY (WEFT_FIRST_LISTENER_FD + WEFT_MAX_LISTENERS + 1)

/* How often, and how long, to look whether a killed process group is gone. */
#define WEFT_GONE_TRIES 200
#define WEFT_GONE_PAUSE_US 5000

static void move_descriptor(int from, int to)
{
	/* dup2() drops close-on-exec, which is the point */
	if (dup2(from, to) < 0) {
		_exit(127);
	}
}

static void close_from(int first)
{
	if (close_range((unsigned) first, ~0u, 0) == 0) {
		return;
	}
	long limit = sysconf(_SC_OPEN_MAX);
	for (int fd = first; fd < (limit > 0 ? limit : 1024); fd++) {
		close(fd);
	}
}

static void release_generation(weft_generation *generation)
{
	close(generation->control);
	close(generation->leash);
	weft_generation_dismiss_spare(generation);
	weft_board_unmap(generation->board);
	free(generation->release);
	free(generation->refused);
	free(generation->about);
	free(generation->machines);
	free(generation->warm);
	free(generation);
}

typedef struct {
	int control;
	int leash;
	int board;
	int bus;
	int spare;
} inherited;

static void arrange_descriptors(const inherited *own, const weft_listeners *listeners, int vault)
{
	int given[6 + WEFT_MAX_LISTENERS] = {own->control, own->leash, own->board, own->bus, own->spare};
	int high[6 + WEFT_MAX_LISTENERS];
	uint32_t count = 5 + listeners->count;
	memcpy(given + 5, listeners->fds, listeners->count * sizeof(int));
	if (vault >= 0) {
		given[count++] = vault;
	}
	for (uint32_t i = 0; i < count; i++) {
		high[i] = fcntl(given[i], F_DUPFD, WEFT_OUT_OF_THE_WAY);
	}
	/* the application must not read the terminal: it is in the background there and would be stopped */
	int null = open("/dev/null", O_RDONLY);
	if (null >= 0) {
		move_descriptor(null, STDIN_FILENO);
	}
	for (uint32_t i = 0; i < count; i++) {
		move_descriptor(high[i], WEFT_CONTROL_FD + (int) i);
	}
	close_from(WEFT_CONTROL_FD + (int) count);
}

/* Who was started to survive a terminal's end has children that do. */
static void default_signals(void)
{
	struct sigaction hangup;
	sigset_t none;
	bool ignored = sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler == SIG_IGN;

	for (int number = 1; number < NSIG; number++) {
		signal(number, SIG_DFL);
	}
	if (ignored) {
		signal(SIGHUP, SIG_IGN);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static ZEND_NORETURN void become_zygote(const weft_generation_options *options, const inherited *own, pid_t supervisor)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != supervisor) {
		_exit(0);
	}
	default_signals();
	weft_notify_forget();
	arrange_descriptors(own, &options->listeners, options->vault);
	execv(options->argv[0], options->argv);
	weft_process_say("%s can't be executed: %s", options->argv[0], strerror(errno));
	_exit(127);
}

static bool send_configuration(int control, const weft_generation_options *options, const char *release, weft_boot boot)
{
	char message[WEFT_MESSAGE_MAX];
	size_t path = strlen(release) + 1;
	if (options->configuration_length + path + WEFT_CONFIGURE_HEAD > sizeof(message)) {
		errno = EMSGSIZE;
		return false;
	}
	message[0] = (char) options->listeners.count;
	message[1] = (char) boot;
	message[2] = options->listeners.held;
	message[3] = options->vault >= 0;
	for (uint32_t i = 0; i < WEFT_MAX_LISTENERS; i++) {
		message[4 + i] = i < options->listeners.count ? (char) options->listeners.ports[i] : 0;
	}
	memcpy(message + WEFT_CONFIGURE_HEAD, release, path);
	memcpy(message + WEFT_CONFIGURE_HEAD + path, options->configuration, options->configuration_length);
	return weft_message_send(control, WEFT_MESSAGE_CONFIGURE, message,
		options->configuration_length + path + WEFT_CONFIGURE_HEAD);
}

/* The path as it is given may be a link that each deployment points elsewhere. Where it leads nowhere, the zygote says
 * so. */
static char *find_release(const char *application)
{
	char *path = realpath(application, NULL);
	return path != NULL ? path : strdup(application);
}

/* The generation keeps the supervisor's ends; the zygote's are in *own, -1 where there are none. */
static bool make_descriptors(weft_generation *generation, const weft_generation_options *options, inherited *own)
{
	int control[2] = {-1, -1}, leash[2] = {-1, -1}, spare[2] = {-1, -1};

	*own = (inherited){.board = -1, .bus = options->bus};
	generation->board = weft_board_new(options->workers + WEFT_MAX_RETIRING, &own->board);
	bool made = generation->board != NULL && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) == 0 &&
		socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, spare) == 0 && weft_leash_new(leash);
	generation->control = control[0];
	generation->spare = spare[0];
	generation->leash = leash[0];
	own->control = control[1];
	own->spare = spare[1];
	own->leash = leash[1];
	return made;
}

static void close_descriptors(const inherited *own)
{
	int error = errno;

	close(own->control);
	close(own->leash);
	close(own->spare);
	close(own->board);
	errno = error;
}

static bool start_zygote(weft_generation *generation, const weft_generation_options *options, weft_boot boot)
{
	pid_t supervisor = getpid();
	inherited own;

	generation->pid = -1;
	if (make_descriptors(generation, options, &own) &&
		send_configuration(generation->control, options, generation->release, boot)) {
		generation->pid = fork();
	}
	if (generation->pid == 0) {
		become_zygote(options, &own, supervisor);
	}
	close_descriptors(&own);
	return generation->pid > 0;
}

/* With nothing of its own yet. NULL with errno. */
static weft_generation *new_generation(weft_boot boot)
{
	weft_generation *generation = calloc(1, sizeof(*generation));

	if (generation != NULL) {
		generation->control = generation->leash = generation->spare = -1;
		generation->boot = boot;
		generation->started_at = weft_process_now();
	}
	return generation;
}

static weft_generation *abandon(weft_generation *generation)
{
	int error = errno;

	release_generation(generation);
	errno = error;
	return NULL;
}

weft_generation *weft_generation_start(const weft_generation_options *options, const char *release, weft_boot boot)
{
	weft_generation *generation = new_generation(boot);
	if (generation == NULL) {
		return NULL;
	}
	generation->late_at = options->boot_ms > 0 ? generation->started_at + options->boot_ms : 0;
	const char *path = options->application != NULL ? options->application : "";
	generation->release = release != NULL ? strdup(release) : find_release(path);
	if (generation->release == NULL || !start_zygote(generation, options, boot)) {
		return abandon(generation);
	}
	/* on both sides, since either may come first */
	setpgid(generation->pid, generation->pid);
	return generation;
}

/* The spare takes them in the order in which weft_spare.c looks for them. */
static bool send_lines(int spare, const inherited *own, const char *lines, size_t length)
{
	int given[WEFT_SPARE_GIVEN] = {own->control, own->leash, own->board, own->spare};
	char first = WEFT_MESSAGE_LEARN;
	struct iovec parts[2] = {{&first, 1}, {(void *) lines, length}};

	return weft_unix_socket_send(spare, parts, 2, given, WEFT_SPARE_GIVEN, MSG_DONTWAIT);
}

/* It has booted with the others' code, and the machines that they are joined with. */
static bool copy_origin(weft_generation *generation, const weft_generation *parent)
{
	generation->release = strdup(parent->release);
	if (parent->machines != NULL) {
		generation->machines = malloc(parent->machines_length);
		generation->machines_length = parent->machines_length;
		if (generation->machines == NULL) {
			return false;
		}
		memcpy(generation->machines, parent->machines, parent->machines_length);
	}
	return generation->release != NULL;
}

weft_generation *weft_generation_start_spare(const weft_generation_options *options, weft_generation *parent,
	const char *lines, size_t length)
{
	weft_generation *generation = new_generation(WEFT_BOOT_WARM);
	inherited own;
	if (generation == NULL) {
		return NULL;
	}
	generation->learns = true;
	generation->late_at = options->boot_ms > 0 ? generation->started_at + options->boot_ms : 0;
	generation->pid = parent->spare_pid;
	if (!copy_origin(generation, parent)) {
		return abandon(generation);
	}
	bool sent = make_descriptors(generation, options, &own) && send_lines(parent->spare, &own, lines, length);
	close_descriptors(&own);
	weft_generation_dismiss_spare(parent);
	return sent ? generation : abandon(generation);
}

void weft_generation_dismiss_spare(weft_generation *generation)
{
	close(generation->spare);
	generation->spare = -1;
	generation->spare_pid = 0;
}

void weft_generation_tell(weft_generation *generation, weft_leash_word word)
{
	weft_message kind = word == WEFT_LEASH_RETIRE ? WEFT_MESSAGE_RETIRE : WEFT_MESSAGE_DRAIN;
	/* the zygote first: it must replace nobody who has heard it */
	if (generation->control >= 0) {
		weft_message_send(generation->control, kind, NULL, 0);
	}
	weft_leash_tell(generation->leash, word);
}

bool weft_generation_lives(const weft_generation *generation)
{
	return kill(-generation->pid, 0) == 0;
}

void weft_generation_kill(const weft_generation *generation)
{
	kill(-generation->pid, SIGKILL);
}

void weft_generation_free(weft_generation *generation)
{
	for (int i = 0; i < WEFT_GONE_TRIES && weft_generation_lives(generation); i++) {
		/* whose parent died has become a child of the supervisor, which is a subreaper */
		while (waitpid(-generation->pid, NULL, WNOHANG) > 0) {
		}
		usleep(WEFT_GONE_PAUSE_US);
	}
	release_generation(generation);
}
