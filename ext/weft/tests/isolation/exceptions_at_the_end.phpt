--TEST--
Exceptions and exit() in shutdown functions and destructors are their request's own
--EXTENSIONS--
weft
--INI--
html_errors=0
display_errors=1
log_errors=0
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

final class Service { public static ?object $held = null; }
final class Dies
{
    public function __destruct()
    {
        throw new LogicException('from the destructor');
    }
}
Weft\Isolation\snapshot();
foreach (['destructor', 'exception', 'exit', 'handler', 'exits itself'] as $case) {
    Weft\Isolation\run(function () use ($case) {
        echo "-- $case\n";
        register_shutdown_function(fn () => print "first shutdown function\n");
        match ($case) {
            'destructor' => Service::$held = new Dies(),
            'exception' => register_shutdown_function(fn () => throw new LogicException('from the shutdown function')),
            'exit' => register_shutdown_function(function () { echo "bye\n"; exit(3); }),
            'handler' => [
                set_exception_handler(fn (Throwable $e) => print "PHP does not ask it any more\n"),
                Service::$held = new Dies(),
            ],
            'exits itself' => exit("gone\n"),
        };
        register_shutdown_function(fn () => print "last shutdown function\n");
    });
}
echo "the script goes on\n";
?>
--EXPECTF--
-- destructor
first shutdown function
last shutdown function

Fatal error: Uncaught LogicException: from the destructor in %s:%d
Stack trace:
#0 [internal function]: Dies->__destruct()
#1 %s(%d): Weft\Isolation\run(Object(Closure))
#2 {main}
  thrown in %s on line %d
-- exception
first shutdown function

Fatal error: Uncaught LogicException: from the shutdown function in %s:%d
Stack trace:
#0 [internal function]: {closure%S}()
#1 %s(%d): Weft\Isolation\run(Object(Closure))
#2 {main}
  thrown in %s on line %d
-- exit
first shutdown function
bye
-- handler
first shutdown function
last shutdown function

Fatal error: Uncaught LogicException: from the destructor in %s:%d
Stack trace:
#0 [internal function]: Dies->__destruct()
#1 %s(%d): Weft\Isolation\run(Object(Closure))
#2 {main}
  thrown in %s on line %d
-- exits itself
gone
first shutdown function
the script goes on
