/*
 * For good: there is no way back to root.
 */
#include "php.h"
#include "server/weft_identity.h"

#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"

#include <ctype.h>
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Who asked to keep it. */
static bool keeps_reading;

static bool give_up(const char *what, const char *name)
{
	zend_throw_exception_ex(spl_ce_RuntimeException, 0, what, name);
	return false;
}

/* --- the one right that may stay --- */

/* What containers take away first is the weaker one. */
static uint32_t right_to_read(uint32_t permitted)
{
	uint32_t reads = 1u << CAP_DAC_READ_SEARCH, overrides = 1u << CAP_DAC_OVERRIDE;

	return permitted & reads ? reads : permitted & overrides;
}

/* Leaves that right alone, which is in force or not. */
static uint32_t set_rights(bool in_force, bool inherited)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct rights[2] = {{0}};
	uint32_t right;

	if (!keeps_reading || geteuid() == 0 || syscall(SYS_capget, &header, rights) != 0) {
		return 0;
	}
	right = right_to_read(rights[0].permitted);
	memset(rights, 0, sizeof(rights));
	rights[0].permitted = right;
	rights[0].effective = in_force ? right : 0;
	rights[0].inheritable = inherited ? right : 0;
	syscall(SYS_capset, &header, rights);
	return right;
}

void weft_identity_keep_reading(void)
{
	keeps_reading = true;
	if (geteuid() == 0) {
		prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
	} else {
		/* handed on by the server before */
		weft_identity_end_reading();
	}
}

void weft_identity_begin_reading(void)
{
	set_rights(true, false);
}

/* What is not inheritable is not ambient either. */
void weft_identity_end_reading(void)
{
	set_rights(false, false);
}

void weft_identity_hand_on_reading(void)
{
	uint32_t right = set_rights(true, true);

	if (right) {
		prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE,
			right == 1u << CAP_DAC_OVERRIDE ? CAP_DAC_OVERRIDE : CAP_DAC_READ_SEARCH, 0, 0);
	}
}

/* --- who it becomes --- */

static bool is_number(const char *name)
{
	return name[0] && strspn(name, "0123456789") == strlen(name);
}

static bool find_group(const char *name, gid_t *gid)
{
	const struct group *found = is_number(name) ? getgrgid((gid_t) atol(name)) : getgrnam(name);

	if (found) {
		*gid = found->gr_gid;
	}
	return found != NULL;
}

static bool become(const struct passwd *user, gid_t group)
{
	if (initgroups(user->pw_name, group) != 0 || setgid(group) != 0 || setuid(user->pw_uid) != 0) {
		return give_up("This process can't become another user: %s", strerror(errno));
	}
	weft_identity_end_reading();
	setenv("HOME", user->pw_dir, 1);
	setenv("USER", user->pw_name, 1);
	setenv("LOGNAME", user->pw_name, 1);
	return true;
}

bool weft_identity_take(const char *user, const char *group)
{
	const struct passwd *found;
	gid_t gid;

	if (!user && !group) {
		return true;
	}
	found = !user ? getpwuid(geteuid()) : is_number(user) ? getpwuid((uid_t) atol(user)) : getpwnam(user);
	if (!found) {
		return give_up("There is no user \"%s\" (--user).", user ? user : "of this process");
	}
	gid = found->pw_gid;
	if (group && !find_group(group, &gid)) {
		return give_up("There is no group \"%s\" (--group).", group);
	}
	if (geteuid() == found->pw_uid && getegid() == gid) {
		return true;
	}
	if (geteuid() != 0) {
		return give_up("Only root can serve as another user than himself: start it as %s, without --user and --group.",
			found->pw_name);
	}
	return become(found, gid);
}
