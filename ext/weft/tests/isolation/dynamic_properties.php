<?php
require __DIR__ . '/in_domains.inc';

#[AllowDynamicProperties]
class Mixed_
{
    public string $declared = 'base';
}

$plain = new stdClass();
$plain->kept = 'base';
$plain->gone = 'base';
$empty = new Mixed_();
$mixed = new Mixed_();
$mixed->dynamic = 'base';
$mixed->other = ['base'];
$seen = new Mixed_();
print_r((array) $seen);
foreach ($seen as $key => $value) {
    echo "$key=$value\n";
}
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($plain, $empty, $mixed, $seen) {
    $plain->kept = $me;
    unset($plain->gone);
    $plain->new = $me;
    $empty->made = $me;
    $empty->declared = $me;
    $mixed->dynamic = $me;
    $mixed->other[] = $me;
    $mixed->declared = "$me!";
    $mixed->{"only_$me"} = $me;
    $seen->late = $me;
    turn();
    $seen->declared = "$me!";
    turn();
    return [$plain, $empty, $mixed, $seen];
});
echo json_encode([$plain, $empty, $mixed, $seen]), "\n";
$mixed->declared = 'linked';
echo json_encode([$mixed, (array) $mixed]), "\n";
?>
