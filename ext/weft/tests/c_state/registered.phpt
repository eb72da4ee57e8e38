--TEST--
assert's callback, openlog(), gettext's domain and signal handlers are put back at a domain's end
--EXTENSIONS--
weft
gettext
pcntl
--INI--
error_reporting=24575
zend.assertions=1
assert.exception=0
assert.warning=0
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

assert_options(ASSERT_CALLBACK, function () {
    $GLOBALS['asserted'] = 'boot';
});
textdomain('boot');
Weft\Isolation\snapshot();
$failed = function (): string {
    assert(false);
    return $GLOBALS['asserted'];
};
in_domains(function (string $me) use ($failed) {
    $start = [$failed(), textdomain(null), pcntl_signal_get_handler(SIGUSR1), pcntl_async_signals()];
    if ($me === 'a') {
        assert_options(ASSERT_CALLBACK, function () use ($me) {
            $GLOBALS['asserted'] = $me;
        });
        pcntl_async_signals(true);
        pcntl_signal(SIGUSR1, function () {
        });
        pcntl_alarm(100);
        openlog('log of a', LOG_PERROR, LOG_USER);
    }
    textdomain($me);
    turn();
    syslog(LOG_DEBUG, "by $me");
    turn();
    return [$start, $failed(), textdomain(null)];
});
echo json_encode([$failed(), textdomain(null), pcntl_signal_get_handler(SIGUSR1), pcntl_async_signals(), pcntl_alarm(0)]), "\n";
?>
--EXPECTF--
log of a: by a%r(
php.*: by b)?%r
a: [["boot","boot",0,false],"a","a"]
b: [["boot","boot",%s,%s],"boot","b"]
["boot","boot",0,false,0]
