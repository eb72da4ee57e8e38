<html><head>@livewireStyles</head><body>{{ auth()->user()?->name }} <livewire:counter search="x" /> <livewire:child :of="auth()->id() ?? 0" />@livewireScripts</body></html>
