@props(['who', 'mood' => 'calm'])
@aware(['title' => 'untitled'])
<p {{ $attributes->merge(["class" => "p-" . $who->tag()]) }}>{{ $mood }} {{ $title }} {{ $slot }}</p>
