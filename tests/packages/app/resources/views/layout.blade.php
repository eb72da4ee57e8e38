<html><head><title>{{ $title ?? 'none' }}</title>@livewireStyles</head><body>@stack('before'){{ $slot }}@livewireScripts</body></html>
