@section('title', __('greeting', ['name' => 'you']))
<title>@yield('title')</title>
@push('scripts')<script></script>@endpush
@foreach($names as $name)
@once<i>first</i>@endonce
@include('item', ['item' => $name])
@endforeach
@stack('scripts')
