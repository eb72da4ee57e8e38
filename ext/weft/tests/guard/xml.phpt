--TEST--
Modules around libxml2 may be left where a stream or a handler waits: each coroutine sees its own document and errors
--EXTENSIONS--
weft
dom
libxml
simplexml
xml
xmlreader
xmlwriter
--FILE--
<?php
require __DIR__ . '/../engine_state/interleave.inc';

/** A stream that waits between its pieces, of a few bytes each. */
final class Slow
{
    public $context;
    private string $text;
    private int $at = 0;
    public static array $written = [];
    private string $name;

    public function stream_open(string $path, string $mode, int $options, ?string &$opened): bool
    {
        $this->name = $path;
        $this->text = document((int) parse_url($path, PHP_URL_HOST));
        if (str_contains($path, 'broken')) {
            $this->text = substr($this->text, 0, -4) . '</x' . parse_url($path, PHP_URL_HOST) . '>';
        }
        return true;
    }

    public function stream_read(int $count): string
    {
        between();
        $piece = substr($this->text, $this->at, 50);
        $this->at += strlen($piece);
        return $piece;
    }

    public function stream_write(string $data): int
    {
        between();
        self::$written[$this->name] = (self::$written[$this->name] ?? '') . $data;
        return strlen($data);
    }

    public function stream_eof(): bool
    {
        return $this->at >= strlen($this->text);
    }

    public function stream_stat(): array
    {
        return [];
    }

    public function url_stat(string $path, int $flags): array
    {
        return ['mode' => 0100644];
    }
}
stream_wrapper_register('slow', Slow::class);

function document(int $me): string
{
    $items = '';
    for ($i = 0; $i < 20; $i++) {
        $items .= "<item n='$i'>$me-$i</item>";
    }
    return "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY me 'I am $me'>]><r id='$me'>$items<e>&me;</e></r>";
}

function expected(int $me): array
{
    return array_map(fn (int $i) => "$me-$i", range(0, 19));
}

interleave('DOMDocument', function (int $me): bool {
    $document = new DOMDocument();
    $document->load("slow://$me", LIBXML_NOENT);
    foreach ($document->getElementsByTagName('item') as $item) {
        between();
        $seen[] = $item->textContent;
    }
    return $seen === expected($me) && $document->getElementsByTagName('e')[0]->textContent === "I am $me";
});
interleave('simplexml', function (int $me): bool {
    $document = simplexml_load_file("slow://$me");
    foreach ($document->item as $item) {
        between();
        $seen[] = (string) $item;
    }
    return $seen === expected($me);
});
interleave('errors', function (int $me): bool {
    libxml_use_internal_errors(true);
    $document = new DOMDocument();
    $read = @$document->load("slow://$me/broken");
    $message = libxml_get_last_error()->message ?? '';
    return !$read && $message !== '';
});
interleave('xml', function (int $me): bool {
    $seen = [];
    $parser = xml_parser_create();
    xml_set_element_handler($parser, function () { between(); }, function () { between(); });
    xml_set_character_data_handler($parser, function ($parser, string $text) use (&$seen): void {
        between();
        $seen[] = $text;
    });
    foreach (str_split(str_replace('<e>&me;</e>', '', document($me)), 30) as $piece) {
        between();
        xml_parse($parser, $piece) || throw new Exception(xml_error_string(xml_get_error_code($parser)));
    }
    xml_parse($parser, '', true);
    return implode('', $seen) === implode('', expected($me));
});
interleave('xmlreader', function (int $me): bool {
    $reader = new XMLReader();
    $reader->open("slow://$me");
    while ($reader->read()) {
        between();
        if ($reader->nodeType === XMLReader::ELEMENT && $reader->name === 'item') {
            $seen[] = $reader->readString();
        }
    }
    return $seen === expected($me);
});
interleave('xmlwriter', function (int $me): bool {
    $writer = new XMLWriter();
    $writer->openUri("slow://$me/out");
    $writer->startElement('r');
    foreach (expected($me) as $item) {
        between();
        $writer->writeElement('item', $item);
        $writer->flush();
    }
    $writer->endElement();
    $writer->flush();
    unset($writer);
    return Slow::$written["slow://$me/out"] ===
        '<r>' . implode('', array_map(fn (string $item) => "<item>$item</item>", expected($me))) . '</r>';
});
?>
--EXPECT--
DOMDocument: right
simplexml: right
errors: right
xml: right
xmlreader: right
xmlwriter: right
