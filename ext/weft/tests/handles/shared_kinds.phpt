--TEST--
A kind of objects, or streams, that the boot declares as shared can be used in requests, and is announced
--EXTENSIONS--
weft
simplexml
sockets
--FILE--
<?php
use function Weft\Isolation\{run, share_kind, snapshot, stats, uncovered};

final class Prices extends SimpleXMLElement
{
}

final class Plain
{
}

foreach ([['Nowhere', 'why'], ['stream', ''], ['Plain', 'why'], ['ArrayObject', 'why'], ['Socket', 'why']] as [$kind, $reason]) {
    try {
        share_kind($kind, $reason);
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
share_kind('simplexmlelement', 'read only');
share_kind('stream', 'one reader');
$prices = new Prices('<a><b>text</b></a>');
$memory = fopen('php://memory', 'w+');
fwrite($memory, 'boot');
$limit = new LimitIterator(new ArrayIterator([]));
snapshot();
echo json_encode([stats()['uncovered'], stats()['refused']]), "\n";
foreach (uncovered() as $one) {
    echo "$one[path]: ", str_replace(__FILE__, 'here', $one['reason']), "\n";
}
echo json_encode(run(fn () => [(string) $prices->b, stream_get_contents($memory, -1, 0)])), "\n";
try {
    share_kind('stream', 'late');
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECT--
Can't share Nowhere: there is no such class
Weft\Isolation\share_kind(): Argument #2 ($reason) must not be empty: say why requests may share what is of this kind
Can't share Plain: each request has its objects of this class for itself. Name a property, as Class::$property
Can't share ArrayObject: each request has its objects of this class for itself. Name a property, as Class::$property
Can't share Socket: a connection is never shared
[{"Prices":1,"resource (stream)":1},{"LimitIterator":1}]
$prices: it is shared on purpose
$limit: it keeps state that is no property, and none can be made for each request, so its first use in a request throws; made at here:24
$memory: an open stream: its position and buffers are shared on purpose
["text","boot"]
Can't share stream: the snapshot has been taken. Name what is shared while the application boots
