--TEST--
The body that php://input reads is gone with its domain, also where no server is behind the request
--EXTENSIONS--
weft
--FILE--
<?php
use function Weft\Isolation\{run, snapshot};

snapshot();
$counts = [];
foreach (['read', 'left open', 'kept'] as $how) {
    for ($i = 0; $i < 3; $i++) {
        run(function () use ($how) {
            match ($how) {
                'read' => file_get_contents('php://input'),
                'left open' => [$GLOBALS['input'] = fopen('php://input', 'r'), fread($GLOBALS['input'], 1)],
                'kept' => [file_get_contents('php://input'), $GLOBALS['body'] = fopen('php://input', 'r'), $GLOBALS['twice'] = fopen('php://input', 'r')],
            };
        });
        $counts[$how][] = count(get_resources());
    }
}
foreach ($counts as $how => $numbers) {
    echo "$how: ", count(array_unique($numbers)) === 1 ? 'nothing stays' : 'it grows: ' . implode(' ', $numbers), "\n";
}
--EXPECT--
read: nothing stays
left open: nothing stays
kept: nothing stays
