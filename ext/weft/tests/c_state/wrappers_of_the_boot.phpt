--TEST--
A stream wrapper of the boot that a domain, or the main script later, unregisters is still there for others
--EXTENSIONS--
weft
--FILE--
<?php
require dirname(__DIR__) . '/isolation/in_domains.inc';

class Wrapper
{
    public $context;
    private bool $read = false;

    public function stream_open(): bool
    {
        return true;
    }

    public function stream_read(): string
    {
        $content = $this->read ? '' : 'content';
        $this->read = true;
        return $content;
    }

    public function stream_eof(): bool
    {
        return $this->read;
    }

    public function stream_stat(): array
    {
        return [];
    }
}

stream_wrapper_register('boot', Wrapper::class);
Weft\Isolation\snapshot();
in_domains(function (string $me) {
    $seen = [file_get_contents('boot://x')];
    if ($me === 'b') {
        stream_wrapper_unregister('boot');
        $other = array_map(fn (int $i) => str_repeat((string) $i, 130), range(0, 50));
    }
    turn();
    $seen[] = in_array('boot', stream_get_wrappers(), true) ? file_get_contents('boot://x') : 'none';
    if ($me === 'b') {
        stream_wrapper_register('boot', Wrapper::class);
        $seen[] = file_get_contents('boot://x');
    }
    return $seen;
});
$main = Async\spawn(fn () => Weft\Isolation\run(function (): string {
    turn();
    return file_get_contents('boot://x');
}));
turn();
stream_wrapper_unregister('boot');
echo Async\await($main), ' after the main script has unregistered it', "\n";
?>
--EXPECT--
a: ["content","content"]
b: ["content","none","content"]
content after the main script has unregistered it
