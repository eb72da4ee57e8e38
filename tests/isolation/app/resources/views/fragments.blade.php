@fragment('first') first {{ $who->tag() }} @php($window->open()) @endfragment
@fragment('second') second {{ $who->tag() }} @php($window->open()) @endfragment
@switch($who->number % 3) @case(0) zero @break @case(1) one @php($window->open()) @break @default many @endswitch
<a @class(['even' => $who->isEven(), 'always']) @style(['color: red' => !$who->isEven()])>@json(['who' => $who->tag()])</a>
@verbatim {{ raw }} @endverbatim
