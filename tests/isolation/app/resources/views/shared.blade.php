{{ $visitor }} @php($window->open()) {{ $visitor }}
