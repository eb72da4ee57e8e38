<div>{{ $number }} {{ $title }} <b>{{ $slot }}</b> @isset($extra)<i {{ $extra->attributes }}>{{ $extra }}</i>@endisset</div>
