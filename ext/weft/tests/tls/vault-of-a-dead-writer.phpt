--TEST--
What the vault holds is whole while it is written, and stays when its writer dies in the middle
--EXTENSIONS--
weft
--SKIPIF--
<?php
if (trim((string) shell_exec('command -v gcc')) === '') die('skip needs a C compiler');
?>
--FILE--
<?php
$folder = sys_get_temp_dir() . '/weft-vault-' . getmypid();
mkdir($folder);
file_put_contents("$folder/main.c", <<<'C'
    #include "tls/weft_tls.h"
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/mman.h>
    #include <sys/wait.h>
    #include <unistd.h>

    #define LENGTH 65536

    static void write_for_ever(weft_tls_vault *vault)
    {
        static char text[LENGTH];

        for (unsigned turn = 0;; turn++) {
            size_t length = LENGTH - turn % 2 * 1000;
            memset(text, 'a' + turn % 26, length);
            weft_tls_vault_fill(vault, text, length);
            weft_tls_vault_rotate(vault);
        }
    }

    /* all of one letter */
    static int is_whole(const weft_tls_vault *vault)
    {
        size_t length;
        uint32_t version;
        char *copy = weft_tls_vault_copy(vault, &length, &version);
        int whole = copy && length >= LENGTH - 1000;

        for (size_t i = 1; whole && i < length; i++) {
            whole = copy[i] == copy[0];
        }
        free(copy);
        return whole;
    }

    /* of which the last half can't be read */
    static void die_of_filling(weft_tls_vault *vault)
    {
        char *text = mmap(NULL, 2 * LENGTH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        memset(text, '!', LENGTH);
        mprotect(text + LENGTH, LENGTH, PROT_NONE);
        weft_tls_vault_fill(vault, text, 2 * LENGTH);
    }

    int main(void)
    {
        int fd, whole = 0, status;
        weft_tls_vault *vault = weft_tls_vault_new(&fd);
        const weft_tls_vault *reader = weft_tls_vault_map(fd);
        pid_t writer = fork();

        if (writer == 0) {
            write_for_ever(vault);
        }
        while (weft_tls_vault_version(reader) < 5) {
            usleep(100);
        }
        for (int i = 0; i < 200; i++) {
            whole += is_whole(reader);
        }
        kill(writer, SIGKILL);
        waitpid(writer, NULL, 0);
        printf("%d of 200 are whole\n", whole);

        uint32_t before = weft_tls_vault_version(reader);
        writer = fork();
        if (writer == 0) {
            die_of_filling(vault);
            _exit(0);
        }
        waitpid(writer, &status, 0);
        printf("%s in the middle: %s, %s\n", WIFSIGNALED(status) ? "killed" : "not killed",
            weft_tls_vault_version(reader) == before ? "nothing new" : "something new",
            is_whole(reader) ? "whole" : "broken");

        weft_tls_ticket_key old[WEFT_TLS_TICKET_KEYS], now[WEFT_TLS_TICKET_KEYS];
        weft_tls_vault_ticket_keys(reader, old);
        weft_tls_vault_rotate(vault);
        weft_tls_vault_ticket_keys(reader, now);
        printf("keys: %s, %s\n", memcmp(old, now + 1, 2 * sizeof(*old)) ? "lost" : "kept",
            memcmp(now, old, sizeof(*old)) ? "a new one" : "none new");
        weft_tls_vault_fill(vault, "the next", 8);
        size_t length;
        char *copy = weft_tls_vault_copy(reader, &length, &before);
        printf("%.*s\n", (int) length, copy);
        return 0;
    }
    C);
$sources = dirname(__DIR__, 4) . '/ext/weft/src';
passthru("gcc -std=gnu11 -O2 -D_GNU_SOURCE -I$sources -o $folder/main $folder/main.c $sources/tls/weft_tls_vault.c && $folder/main");
array_map(unlink(...), glob("$folder/*"));
rmdir($folder);
?>
--EXPECT--
200 of 200 are whole
killed in the middle: nothing new, whole
keys: kept, a new one
the next
