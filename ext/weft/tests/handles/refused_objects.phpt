--TEST--
An object of the boot whose state can't be copied throws at its first use in a request, however it is used, and stays as it is
--EXTENSIONS--
weft
dom
simplexml
xmlreader
xmlwriter
--FILE--
<?php
namespace App;

use function Weft\Isolation\{run, snapshot, stats, uncovered};

function numbers(): \Generator
{
    $sent = 'none';
    for ($i = 1;; $i++) {
        $sent = yield $i => $sent;
    }
}
function from(iterable $inner): \Generator
{
    yield 0;
    yield from $inner;
}

final class Lines extends \SplFileObject
{
    public int $seen = 0;
}

$started = numbers();
$started->current();
$fresh = numbers();
$ended = (function () { yield 1; return 2; })();
foreach ($ended as $_) {
}
$fiber = new \Fiber(function () { return \Fiber::suspend('boot'); });
$fiber->start();
$limit = new \LimitIterator(new \ArrayIterator([1, 2, 3]), 0, 2);
$caching = new \CachingIterator(new \ArrayIterator(['a' => 1]), \CachingIterator::FULL_CACHE);
$lines = new Lines(__FILE__);
$directory = new \DirectoryIterator(__DIR__);
$document = new \DOMDocument();
$document->loadXML('<a><b/></a>');
$simple = simplexml_load_string('<a x="1"><b>text</b></a>');
$reader = \XMLReader::XML('<a><b/></a>');
$writer = new \XMLWriter();
$writer->openMemory();
snapshot();

echo json_encode(stats()['uncovered']), "\n", json_encode(stats()['refused'], JSON_UNESCAPED_SLASHES), "\n";
foreach (uncovered() as $one) {
    if ($one['path'] === '$started' || $one['path'] === '$lines') {
        echo str_replace(__FILE__, 'here', implode(' | ', $one)), "\n";
    }
}
$uses = [
    'send' => fn () => $started->send(1),
    'current' => fn () => $started->current(),
    'throw' => fn () => $started->throw(new \LogicException('x')),
    'foreach' => function () use ($started) { foreach ($started as $value) { return $value; } },
    'yield from' => fn () => [...(function () use ($started) { foreach (from($started) as $key => $value) { yield $value; if ($value === 2) { return; } } })()],
    'unpack' => fn () => [...$started],
    'iterator_to_array' => fn () => iterator_to_array($started),
    'IteratorIterator' => fn () => (new \IteratorIterator($started))->rewind(),
    'not begun' => fn () => $fresh->next(),
    'not begun, foreach' => function () use ($fresh) { foreach ($fresh as $value) { return $value; } },
    'ended' => fn () => $ended->getReturn(),
    'Fiber' => fn () => $fiber->resume(1),
    'LimitIterator' => fn () => $limit->rewind(),
    'LimitIterator, foreach' => function () use ($limit) { foreach ($limit as $value) { return $value; } },
    'around another' => fn () => new \IteratorIterator($limit),
    'CachingIterator' => fn () => $caching['a'],
    'count' => fn () => count($caching),
    'SplFileObject' => fn () => $lines->fgets(),
    'its own property' => function () use ($lines) { return ++$lines->seen; },
    'DirectoryIterator' => function () use ($directory) { foreach ($directory as $one) { return 'one'; } },
    'DOM' => fn () => $document->documentElement->nodeName,
    'DOM, method' => fn () => $document->saveXML(),
    'DOM, another module' => fn () => simplexml_import_dom($document),
    'DOM, a clone' => fn () => strlen((clone $document)->saveXML()),
    'SimpleXML' => fn () => (string) $simple->b,
    'SimpleXML, attribute' => fn () => $simple['x'],
    'SimpleXML, cast' => fn () => (string) $simple,
    'XMLReader' => fn () => $reader->read(),
    'XMLReader, property' => fn () => $reader->nodeType,
    'XMLWriter' => fn () => $writer->text('x'),
    'xmlwriter_text' => fn () => xmlwriter_text($writer, 'x'),
    'var_dump' => function () use ($started, $fresh) { ob_start(); var_dump($started, $fresh); return strlen(ob_get_clean()) > 0; },
    'of the request' => function () { $own = numbers(); $own->next(); $lines = new Lines(__FILE__); return [$own->send(1), $lines->fgets()]; },
];
foreach ($uses as $name => $use) {
    try {
        echo "$name: ", json_encode(run($use)), "\n";
    } catch (\Throwable $e) {
        while ($e->getPrevious()) {
            $e = $e->getPrevious();
        }
        echo "$name: ", $e::class, ': ', strstr(str_replace(__FILE__, 'here', $e->getMessage()), ' can', true) ?: $e->getMessage(), "\n";
    }
}
echo 'outside of requests: ', json_encode([$started->send('sent'), $started->key(), $started::class, $fresh->current(), $limit->count ?? null]), "\n";
?>
--EXPECT--
[]
{"Generator":2,"Fiber":1,"LimitIterator":1,"CachingIterator":1,"App\\Lines":1,"DirectoryIterator":1,"DOMDocument":1,"SimpleXMLElement":1,"XMLReader":1,"XMLWriter":1}
Generator | $started | a generator that has not ended: the frame that it runs in can't be copied, so its first use in a request throws; made at here:24
App\Lines | $lines | it keeps state that is no property, and none can be made for each request, so its first use in a request throws; made at here:34
send: send: Weft\Isolation\HandleOfBootError: The Generator made during boot at here:24
current: current: Weft\Isolation\HandleOfBootError: The Generator made during boot at here:24
throw: throw: Weft\Isolation\HandleOfBootError: The Generator made during boot at here:24
foreach: foreach: Weft\Isolation\HandleOfBootError: The Generator made during boot at here:24
yield from: yield from: Weft\Isolation\HandleOfBootError: The Generator made during boot at here:24
unpack: unpack: Weft\Isolation\HandleOfBootError: The Generator made during boot at here:24
iterator_to_array: iterator_to_array: Weft\Isolation\HandleOfBootError: The Generator made during boot at here:24
IteratorIterator: IteratorIterator: Weft\Isolation\HandleOfBootError: The Generator made during boot at here:24
not begun: not begun: Weft\Isolation\HandleOfBootError: The Generator made during boot at here:26
not begun, foreach: not begun, foreach: Weft\Isolation\HandleOfBootError: The Generator made during boot at here:26
ended: 2
Fiber: Fiber: Weft\Isolation\HandleOfBootError: The Fiber made during boot at here:30
LimitIterator: LimitIterator: Weft\Isolation\HandleOfBootError: The LimitIterator made during boot at here:32
LimitIterator, foreach: LimitIterator, foreach: Weft\Isolation\HandleOfBootError: The LimitIterator made during boot at here:32
around another: around another: Weft\Isolation\HandleOfBootError: The LimitIterator made during boot at here:32
CachingIterator: CachingIterator: Weft\Isolation\HandleOfBootError: The CachingIterator made during boot at here:33
count: count: Weft\Isolation\HandleOfBootError: The CachingIterator made during boot at here:33
SplFileObject: SplFileObject: Weft\Isolation\HandleOfBootError: The App\Lines made during boot at here:34
its own property: 1
DirectoryIterator: DirectoryIterator: Weft\Isolation\HandleOfBootError: The DirectoryIterator made during boot at here:35
DOM: DOM: Weft\Isolation\HandleOfBootError: The DOMDocument made during boot at here:36
DOM, method: DOM, method: Weft\Isolation\HandleOfBootError: The DOMDocument made during boot at here:36
DOM, another module: DOM, another module: Weft\Isolation\HandleOfBootError: The DOMDocument made during boot at here:36
DOM, a clone: 34
SimpleXML: SimpleXML: Weft\Isolation\HandleOfBootError: The SimpleXMLElement made during boot at here:38
SimpleXML, attribute: SimpleXML, attribute: Weft\Isolation\HandleOfBootError: The SimpleXMLElement made during boot at here:38
SimpleXML, cast: SimpleXML, cast: Weft\Isolation\HandleOfBootError: The SimpleXMLElement made during boot at here:38
XMLReader: XMLReader: Weft\Isolation\HandleOfBootError: The XMLReader made during boot at here:39
XMLReader, property: XMLReader, property: Weft\Isolation\HandleOfBootError: The XMLReader made during boot at here:39
XMLWriter: XMLWriter: Weft\Isolation\HandleOfBootError: The XMLWriter made during boot at here:40
xmlwriter_text: xmlwriter_text: Weft\Isolation\HandleOfBootError: The XMLWriter made during boot at here:40
var_dump: true
of the request: [1,"<?php\n"]
outside of requests: ["sent",2,"Generator","none",null]
