--TEST--
Ini directives with side effects are the domain's, and put back through the engine
--EXTENSIONS--
weft
mbstring
session
bcmath
intl
--INI--
error_reporting=E_ALL
zend.assertions=1
assert.exception=1
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

Weft\Isolation\snapshot();
$effects = function (): array {
    try {
        assert(false);
        $assertion = 'ignored';
    } catch (AssertionError) {
        $assertion = 'thrown';
    }
    return [
        $assertion,
        error_reporting(),
        bcadd('1', '1'),
        Locale::getDefault(),
        session_name(),
        session_cache_limiter(),
        json_encode(0.1 + 0.2),
        stream_resolve_include_path('passwd'),
        htmlspecialchars("\xe9", ENT_QUOTES),
        gc_enabled(),
        ignore_user_abort(),
        mb_language(),
        ini_get('error_log'),
        @file_exists('/'),
    ];
};
$base = $effects();
in_domains(function (string $me) use ($effects, $base) {
    $start = $effects() === $base;
    if ($me === 'a') {
        ini_set('zend.assertions', 0);
        error_reporting(E_ERROR);
        bcscale(3);
        Locale::setDefault('de_DE');
        session_name('OF_A');
        session_cache_limiter('public');
        ini_set('serialize_precision', 3);
        set_include_path('/etc');
        ini_set('default_charset', 'ISO-8859-1');
        gc_disable();
        ignore_user_abort(true);
        mb_language('ja');
        ini_set('error_log', '/tmp/of-a');
        ini_set('open_basedir', '/etc');
    }
    turn();
    $now = $effects();
    turn();
    return [$start, $me === 'a' ? array_map(fn ($value) => is_string($value) ? utf8_encode($value) : $value, $now) : $now === $base];
});
var_dump($effects() === $base);
?>
--EXPECT--
a: [true,["ignored",1,"2.000","de_DE","OF_A","public","0.3","/etc/passwd","\u00e9",false,1,"Japanese","/tmp/of-a",false]]
b: [true,true]
bool(true)
