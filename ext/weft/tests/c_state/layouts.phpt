--TEST--
Where extensions keep their state in C is seen at the snapshot to be where it is expected, and nothing is changed by that
--EXTENSIONS--
weft
dom
intl
mbstring
mysqli
openssl
pcntl
pgsql
posix
sockets
zlib
--INI--
error_reporting=24575
--FILE--
<?php
date_create('no date');
@openssl_pkey_get_private('nonsense');
@grapheme_strlen("\xff");
mb_internal_encoding('EUC-JP');
mb_http_output('ISO-8859-1');
mb_substitute_character(0x3013);
mb_detect_order(['EUC-JP', 'UTF-8']);
mb_scrub("\xff", 'UTF-8');
mb_regex_encoding('EUC-JP');
mb_regex_set_options('ix');
mb_ereg_search_init('a-1 a-2', 'a');
mb_ereg_search();
mysqli_report(MYSQLI_REPORT_INDEX);
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, 'strlen');
pcntl_sigprocmask(SIG_BLOCK, [SIGUSR2]);
posix_kill(99999999, 0);
@socket_connect(socket_create(AF_INET, SOCK_STREAM, 0), '127.0.0.1', 1);
libxml_use_internal_errors(true);
simplexml_load_string('<a>');
libxml_set_external_entity_loader(fn () => null);
libxml_set_streams_context(stream_context_create());
session_id('of-the-boot');

function state(): array
{
    $states = [
        date_get_last_errors()['error_count'],
        intl_get_error_code(),
        intl_get_error_message(),
        mb_internal_encoding(),
        mb_http_output(),
        mb_substitute_character(),
        mb_detect_order(),
        mb_get_info('illegal_chars'),
        mb_regex_encoding(),
        mb_regex_set_options(),
        mb_ereg_search_getpos(),
        (new mysqli_driver())->report_mode,
        mysqli_connect_errno(),
        pcntl_get_last_error(),
        pcntl_async_signals(),
        pcntl_signal_get_handler(SIGUSR1),
        pcntl_signal_get_handler(32),
        posix_get_last_error(),
        socket_last_error(),
        libxml_use_internal_errors(),
        libxml_get_last_error()->code,
        count(libxml_get_errors()),
        libxml_get_external_entity_loader() instanceof Closure,
        session_id(),
        session_status(),
        zlib_get_coding_type(),
    ];
    pcntl_sigprocmask(SIG_BLOCK, [SIGUSR2], $states[]);
    return $states;
}

$before = state();
Weft\Isolation\snapshot();
$after = state();
var_dump($before === $after, array_keys(array_udiff_assoc($before, $after, fn ($a, $b) => $a === $b ? 0 : 1)));
var_dump(openssl_error_string() !== false);
var_dump(array_column(Weft\Isolation\uncovered(), 'reason', 'class'));
?>
--EXPECT--
bool(true)
array(0) {
}
bool(true)
array(0) {
}
