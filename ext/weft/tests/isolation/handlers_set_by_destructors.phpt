--TEST--
A destructor that runs when a domain's handlers go may set handlers again
--EXTENSIONS--
weft
--FILE--
<?php
class Dies
{
    public function __destruct()
    {
        set_error_handler(fn (int $type, string $text) => print("destructor: $text\n"));
        trigger_error('its own');
        restore_error_handler();
        trigger_error('after it');
        set_exception_handler(fn () => null);
        restore_exception_handler();
    }
}

set_error_handler(fn (int $type, string $text) => print("base: $text\n"));
set_exception_handler(fn () => null);
Weft\Isolation\snapshot();
for ($i = 0; $i < 2; $i++) {
    Weft\Isolation\run(static function (): void {
        $held = new Dies();
        set_error_handler(static function (int $type, string $text) use ($held): void {
            echo "own: $text\n";
        });
        unset($held);
        set_error_handler(static fn () => null);
        restore_error_handler();
        trigger_error('request');
    });
}
?>
--EXPECT--
own: request
destructor: its own
base: after it
own: request
destructor: its own
base: after it
