@foreach(range(1, 3) as $outer)
@foreach(['a', 'b'] as $inner)
{{ $loop->parent->index }}.{{ $loop->index }}/{{ $loop->depth }}/{{ $loop->count }} @php($window->open()) {{ $loop->last ? 'last' : 'more' }} {{ $loop->parent->remaining }}
@include('item', ['item' => $who->tag("$outer$inner")])
@endforeach
@endforeach
@each('item', [$who->tag('x'), $who->tag('y')], 'item')
