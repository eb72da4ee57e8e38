--TEST--
libxml's loader of external entities and its stream context belong to the domain
--EXTENSIONS--
weft
dom
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

libxml_set_external_entity_loader(static fn (): ?string => 'data:,boot');
Weft\Isolation\snapshot();
$expand = static function (): string {
    $document = new DOMDocument();
    $document->loadXML('<!DOCTYPE a [<!ENTITY e SYSTEM "nowhere">]><a>&e;</a>', LIBXML_NOENT);
    // libxml2 2.15 loads it twice
    return preg_replace('/^(.+)\1$/', '$1', $document->textContent);
};
final class Loader
{
    public function __construct(private readonly string $of) {}
    public function __invoke(): string
    {
        return "data:,$this->of";
    }
    public function __destruct()
    {
        echo "the loader of $this->of is gone\n";
    }
}
in_domains(static function (string $me) use ($expand): array {
    $before = $expand();
    if ($me === 'c') {
        libxml_set_external_entity_loader(null);
        turn();
        return [$before, libxml_get_external_entity_loader()];
    }
    libxml_set_external_entity_loader(new Loader($me));
    libxml_set_streams_context(stream_context_create(['http' => ['user_agent' => $me]]));
    turn();
    return [$before, $expand()];
}, 'a', 'b', 'c');
echo $expand(), "\n";
?>
--EXPECT--
the loader of a is gone
the loader of b is gone
a: ["boot","a"]
b: ["boot","b"]
c: ["boot",null]
boot
