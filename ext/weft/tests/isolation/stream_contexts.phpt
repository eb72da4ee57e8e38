--TEST--
The options and the notifier of a stream context of the boot belong to the domain
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

final class Client
{
    /** @param resource $context */
    public function __construct(public readonly mixed $context)
    {
    }

    public function sent(): mixed
    {
        return stream_context_get_options($this->context);
    }
}

$client = new Client(stream_context_create(['http' => ['header' => 'X-Boot: boot', 'timeout' => 5]]));
$empty = stream_context_create();
$default = stream_context_get_default(['ftp' => ['overwrite' => true]]);

/** Notifies whoever hears of it, and remembers on behalf of whom. */
final class Heard
{
    /** @var list<string> */
    public static array $by = [];

    public function __construct(private readonly string $name)
    {
    }

    public function __invoke(): void
    {
        self::$by[] = $this->name;
    }

    public function __destruct()
    {
        echo "released\n";
    }
}

$heard = stream_context_create([], ['notification' => new Heard('boot')]);
stream_context_set_params($default, ['notification' => $ofDefault = static fn () => null]);
/** @param resource $context */
$callback = fn ($context) => stream_context_get_params($context)['notification'] ?? null;
/** @param resource $context who is told of a connection */
$told = function ($context): array {
    Heard::$by = [];
    $listener = stream_socket_server('tcp://127.0.0.1:0');
    Async\spawn(static fn () => fclose(stream_socket_accept($listener, 10)));
    @file_get_contents('http://' . stream_socket_get_name($listener, false), false, $context);
    return array_unique(Heard::$by);
};
Weft\Isolation\snapshot();

in_domains(function (string $me) use ($client, $empty, $default) {
    $before = [$client->sent(), stream_context_get_options($empty)];
    stream_context_set_option($client->context, 'http', 'header', "X-Me: $me");
    turn();
    stream_context_set_option($empty, 'ssl', 'peer_name', $me);
    stream_context_set_params($empty, ['options' => ['http' => ['user_agent' => $me]]]);
    stream_context_set_option($default, 'ftp', 'proxy', $me);
    turn();
    return [$before, $client->sent(), stream_context_get_options($empty), stream_context_get_options($default)];
});
in_domains(function (string $me) use ($client, $heard, $default, $callback, $told, $ofDefault) {
    $before = [$told($heard), $callback($client->context), $callback($default) === $ofDefault];
    turn();
    stream_context_set_params($heard, ['notification' => new Heard("$me instead")]);
    turn();
    if ($me === 'a') {
        stream_context_set_params($client->context, ['notification' => new Heard('a')]);
    }
    turn();
    return [$before, $told($heard), $told($client->context)];
});
in_domains(fn () => [$told($heard), $told($client->context)], 'after');
in_domains(fn (string $me) => [$client->sent(), stream_context_get_options($empty)], 'later');
echo json_encode([$client->sent(), stream_context_get_options($empty), $told($heard), $told($client->context)]), "\n";
stream_context_set_params($heard, ['notification' => new Heard('main')]);
in_domains(fn () => $told($heard), 'last');
echo json_encode($told($heard)), "\n";
?>
--EXPECT--
a: [[{"http":{"header":"X-Boot: boot","timeout":5}},[]],{"http":{"header":"X-Me: a","timeout":5}},{"ssl":{"peer_name":"a"},"http":{"user_agent":"a"}},{"ftp":{"overwrite":true,"proxy":"a"}}]
b: [[{"http":{"header":"X-Boot: boot","timeout":5}},[]],{"http":{"header":"X-Me: b","timeout":5}},{"ssl":{"peer_name":"b"},"http":{"user_agent":"b"}},{"ftp":{"overwrite":true,"proxy":"b"}}]
released
released
released
a: [[["boot"],null,true],["a instead"],["a"]]
b: [[["boot"],null,true],["b instead"],[]]
after: [["boot"],[]]
later: [{"http":{"header":"X-Boot: boot","timeout":5}},[]]
[{"http":{"header":"X-Boot: boot","timeout":5}},[],["boot"],[]]
last: ["boot"]
["main"]
released
released
