<html><head>@inertiaHead</head><body>@inertia</body></html>
