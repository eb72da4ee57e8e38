--TEST--
The scanner is not left while it reads through a wrapper that waits
--EXTENSIONS--
weft
tokenizer
--FILE--
<?php
require __DIR__ . '/interleave.inc';

/* A wrapper in PHP that waits while the scanner reads through it. */
final class Source
{
    public $context;
    private string $text;

    public function stream_open(string $path): bool
    {
        between_blocking();
        $this->text = '<?php $name = "' . substr($path, 6) . '"; // comment';
        return true;
    }

    public function stream_read(int $length): string
    {
        between_blocking();
        [$text, $this->text] = [$this->text, ''];
        return $text;
    }

    public function stream_eof(): bool
    {
        return $this->text === '';
    }

    public function stream_stat(): bool
    {
        return false;
    }

    public function stream_set_option(): bool
    {
        return false;
    }
}
function between_blocking(): void
{
    global $left, $running;
    $before = $running;
    $running = new stdClass();
    $mine = $running;
    usleep(500);
    $left = $left || $running !== $mine;
    $running = $before;
}
stream_wrapper_register('src', Source::class);
$left = false;
interleave('php_strip_whitespace, highlight_file', function (int $me): bool {
    usleep(100 * $me);
    $stripped = php_strip_whitespace("src://$me");
    return $stripped === "<?php \$name = \"$me\"; " && str_contains(highlight_file("src://$me", true), "\"$me\"");
});
interleave('include of a stream', function (int $me): bool {
    usleep(100 * $me);
    ini_set('allow_url_include', '1');
    include "src://$me";
    return $name === "$me";
});
var_dump($left);
?>
--EXPECT--
php_strip_whitespace, highlight_file: right
include of a stream: right
bool(false)
