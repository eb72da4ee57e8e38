--TEST--
The options of a stream context of the boot belong to the domain
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
in_domains(fn (string $me) => [$client->sent(), stream_context_get_options($empty)], 'later');
echo json_encode([$client->sent(), stream_context_get_options($empty)]), "\n";
?>
--EXPECT--
a: [[{"http":{"header":"X-Boot: boot","timeout":5}},[]],{"http":{"header":"X-Me: a","timeout":5}},{"ssl":{"peer_name":"a"},"http":{"user_agent":"a"}},{"ftp":{"overwrite":true,"proxy":"a"}}]
b: [[{"http":{"header":"X-Boot: boot","timeout":5}},[]],{"http":{"header":"X-Me: b","timeout":5}},{"ssl":{"peer_name":"b"},"http":{"user_agent":"b"}},{"ftp":{"overwrite":true,"proxy":"b"}}]
later: [{"http":{"header":"X-Boot: boot","timeout":5}},[]]
[{"http":{"header":"X-Boot: boot","timeout":5}},[]]
