<?php
require __DIR__ . '/in_domains.inc';

final class Service { public static ?object $held = null; public static string $who = 'base'; }
final class Dies
{
    public function __construct(private string $me) {}
    public function __destruct()
    {
        echo "destructor of $this->me\n";
    }
}
Weft\Isolation\snapshot();
register_shutdown_function(function () { echo "main's shutdown function: ", Service::$who, "\n"; });
in_domains(function (string $me) {
    Service::$who = $me;
    Service::$held = new Dies($me);
    register_shutdown_function(function () use ($me) {
        turn();
        echo "shutdown function of $me sees ", Service::$who, "\n";
        register_shutdown_function(function () use ($me) {
            turn();
            echo "second one of $me sees ", Service::$who, "\n";
        });
    });
    return 'done';
});
?>
