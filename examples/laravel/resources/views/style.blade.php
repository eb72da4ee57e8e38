<style>
    :root {
        --page: #f7f7f5; --card: #ffffff; --ink: #1b1c1f; --soft: #63666f; --line: #e3e3df;
        --accent: #d6402f; --on-accent: #ffffff; --wait: #e9c9c3; --good: #1f7a4d; --shadow: 0 1px 2px #0000000d, 0 8px 24px #0000000a;
    }
    @media (prefers-color-scheme: dark) {
        :root {
            --page: #131417; --card: #1b1d21; --ink: #ececea; --soft: #9a9da6; --line: #2c2f35;
            --accent: #ff6a55; --on-accent: #1b0b08; --wait: #4b2f2c; --good: #5cc792; --shadow: none;
        }
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
    a { color: inherit; text-underline-offset: 3px; text-decoration-color: var(--line); }
    a:hover { text-decoration-color: currentColor; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    header { border-bottom: 1px solid var(--line); background: var(--card); }
    nav { display: flex; align-items: center; gap: 1.25rem; max-width: 60rem; margin: auto; padding: .8rem 1.25rem; font-size: .95rem; }
    nav a { text-decoration: none; color: var(--soft); white-space: nowrap; }
    nav a:hover, nav .brand { color: var(--ink); }
    .brand { display: inline-flex; align-items: center; gap: .5rem; font-weight: 650; letter-spacing: -.01em; }
    .grow { flex: 1; }
    main { max-width: 60rem; margin: auto; padding: 2.5rem 1.25rem 4rem; }
    h1 { font-size: clamp(1.7rem, 5vw, 2.5rem); line-height: 1.15; letter-spacing: -.025em; margin: 0 0 1rem; text-wrap: balance; }
    h2 { font-size: 1.05rem; margin: 2.5rem 0 .6rem; }
    .lead { margin: 0 0 1.75rem; padding: 0; list-style: none; color: var(--soft); }
    .lead li { margin: .3rem 0; }
    .lead b { color: var(--ink); font-weight: 600; }
    .soft { color: var(--soft); font-size: .9rem; max-width: 46rem; }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shadow); padding: 1.25rem; }
    .bar { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1.25rem; }
    button { font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 0; border-radius: 9px; padding: .65rem 1.15rem; cursor: pointer; }
    button:hover { filter: brightness(1.07); }
    button:disabled { opacity: .55; cursor: default; filter: none; }
    .numbers { display: grid; grid-template-columns: repeat(5, 1fr); gap: 1rem; margin: 1.25rem 0; }
    .numbers div { border-top: 1px solid var(--line); padding-top: .65rem; min-width: 0; }
    .numbers dt { color: var(--soft); font-size: .82rem; }
    .numbers dd { margin: 0; font-size: clamp(1.3rem, 4vw, 1.75rem); font-weight: 650; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
    .numbers small { display: block; font-size: .8rem; font-weight: 400; letter-spacing: 0; color: var(--soft); line-height: 1.4; }
    .chart { position: relative; height: calc(var(--rows) * 2px); border-left: 1px solid var(--line); border-bottom: 1px solid var(--line); overflow: hidden; }
    .chart i { position: absolute; left: 0; display: block; height: 2px; background: var(--wait); }
    .chart i:nth-of-type(even) { opacity: .78; }
    .chart i.back { background: linear-gradient(to right, var(--wait) var(--started), var(--accent) var(--started)); }
    .chart i.failed { background: repeating-linear-gradient(45deg, var(--soft) 0 3px, transparent 3px 6px); }
    .chart u { position: absolute; top: 0; bottom: 0; width: 0; border-left: 1px dashed var(--line); }
    .axis { position: relative; height: 1.5rem; font-size: .78rem; color: var(--soft); font-variant-numeric: tabular-nums; }
    .axis span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
    .axis span:first-child { transform: none; }
    .hint { position: absolute; inset: 0; display: grid; place-items: center; color: var(--soft); padding: 1rem; text-align: center; }
    .tries { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: .35rem 1.5rem; padding: 0; margin: 0; list-style: none; font-size: .93rem; }
    .tries code { font-size: .86rem; }
    code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
    .numbers.four { grid-template-columns: repeat(4, 1fr); }
    .numbers.first { margin: 0; } .numbers.first div { border-top: 0; padding-top: 0; }
    .pool { margin: 0 0 .6rem; overflow-wrap: anywhere; font-size: .9rem; }
    .modes { display: inline-flex; border: 1px solid var(--line); border-radius: 9px; overflow: hidden; }
    .modes a { padding: .5rem 1rem; text-decoration: none; color: var(--soft); }
    .modes a[aria-current] { background: var(--accent); color: var(--on-accent); font-weight: 600; }
    .falls { list-style: none; margin: 0; padding: 0; font-size: .9rem; }
    .falls li { display: grid; grid-template-columns: 9rem 1fr 4.5rem; align-items: center; gap: .75rem; padding: .2rem 0; }
    .falls .track { position: relative; height: 1rem; background: var(--page); border-radius: 4px; }
    .falls .track i { position: absolute; top: 0; bottom: 0; min-width: 2px; border-radius: 4px; }
    .falls .took, .figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    i.database { background: var(--accent); } i.http { background: var(--good); }
    .key { margin: .9rem 0 0; } .key i { display: inline-block; width: .75rem; height: .75rem; border-radius: 3px; margin: 0 .2rem 0 .8rem; }
    .key i:first-child { margin-left: 0; }
    form.fields { display: grid; gap: 1rem; max-width: 28rem; }
    form.fields label { display: grid; gap: .3rem; font-size: .92rem; }
    form.fields button { justify-self: start; }
    input, textarea { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: 8px; padding: .55rem .7rem; width: 100%; }
    .error { color: var(--accent); font-size: .86rem; }
    .flash { border: 1px solid var(--line); border-left: 3px solid var(--good); border-radius: 8px; background: var(--card); padding: .65rem 1rem; margin: 0 0 1.5rem; }
    .chat { display: grid; grid-template-columns: 1fr 12rem; gap: 1.5rem; }
    .chat ol { list-style: none; margin: 0; padding: 0 .5rem 0 0; height: 20rem; overflow-y: auto; }
    .chat ol li { margin: .3rem 0; overflow-wrap: anywhere; } .chat ol b { color: var(--good); font-weight: 600; } .chat ol .mine b { color: var(--accent); }
    .chat form { flex-wrap: nowrap; } .chat #typing { margin: .4rem 0; }
    .chat aside { border-left: 1px solid var(--line); padding-left: 1.5rem; } .chat aside h2 { margin-top: 0; } .chat aside ul { list-style: none; margin: 0; padding: 0; }
    table { border-collapse: collapse; } th { text-align: left; font-weight: 500; color: var(--soft); padding: .25rem 1.5rem .25rem 0; vertical-align: top; } td { overflow-wrap: anywhere; }
    @media (max-width: 40rem) {
        main { padding-top: 1.75rem; }
        nav { flex-wrap: wrap; gap: .3rem .9rem; }
        .numbers { grid-template-columns: repeat(2, 1fr); gap: .9rem 1rem; }
        .bar button { width: 100%; }
        .numbers.four { grid-template-columns: repeat(2, 1fr); }
        .chat { grid-template-columns: 1fr; } .chat aside { border-left: 0; border-top: 1px solid var(--line); padding: 1rem 0 0; } .chat .bar button { width: auto; }
        .falls li { grid-template-columns: 1fr auto; gap: .1rem .75rem; }
        .falls .track { grid-column: 1 / -1; grid-row: 2; }
    }
</style>
