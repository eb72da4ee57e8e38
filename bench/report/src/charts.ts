// Draws the charts that the page describes, over the plain ones that it came with.
import * as Plot from '@observablehq/plot';

type Scale = 'linear' | 'log' | 'percentile';
interface Axis { label: string; scale: Scale }
interface Series { name: string; rank: number; dashed: boolean }
interface Point { series: number; x: number; y: number; low: number; high: number }
interface Bar { series: number; label: string; from: number; to: number; low: number; high: number }
interface Chart {
	kind: 'lines' | 'bars';
	title: string;
	alternative: string;
	x: Axis;
	y: Axis;
	series: Series[];
	points: Point[];
	bars: Bar[];
}

// In step with the symbols of the legend (bench/src/Report/Svg.php).
const symbols = ['circle', 'square', 'triangle', 'diamond', 'plus', 'star'] as const;
const colours = 8;

const colour = (series: Series | undefined): string => `var(--c${(series?.rank ?? 0) % colours})`;
const symbol = (series: Series | undefined): Plot.SymbolType => symbols[(series?.rank ?? 0) % symbols.length] ?? 'circle';

function number(value: number): string {
	const size = Math.abs(value);
	const digits = size >= 100 || value === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
	return value.toLocaleString('en', { maximumFractionDigits: digits }).replace(/,/g, ' ');
}

// 90, 99 and 99.9 % are equally far apart.
const place = (scale: Scale, value: number): number => (scale === 'percentile' ? -Math.log10(Math.max(1e-6, 1 - value / 100)) : value);

function horizontal(chart: Chart): Plot.ScaleOptions {
	const label = chart.x.label;
	if (chart.x.scale === 'percentile') {
		const most = Math.max(...chart.points.map((point) => point.x));
		const ticks = [0, 50, 90, 99, 99.9, 99.99, 99.999].filter((tick) => tick <= most);
		return { label, ticks: ticks.map((tick) => place('percentile', tick)), tickFormat: (at: number) => `${+(100 - 100 * 10 ** -at).toFixed(2)}` };
	}
	const values = [...new Set(chart.points.map((point) => point.x))].sort((a, b) => a - b);
	const whole = values.every(Number.isInteger);
	return {
		label,
		type: chart.x.scale,
		// Few whole numbers, as workers are, are ticks themselves.
		...(whole && values.length <= 8 ? { ticks: values, tickFormat: (value: number) => number(value) } : { tickFormat: number }),
	};
}

function lines(chart: Chart, width: number): Element {
	const at = (point: Point): number => place(chart.x.scale, point.x);
	const marks: Plot.Markish[] = [Plot.gridY({ stroke: 'var(--rule)', strokeOpacity: 1 })];
	if (chart.y.scale === 'linear') marks.push(Plot.ruleY([0], { stroke: 'var(--quiet)' }));
	chart.series.forEach((series, index) => {
		const points = chart.points.filter((point) => point.series === index);
		const stroke = colour(series);
		marks.push(Plot.line(points, { x: at, y: 'y', stroke, strokeWidth: 2, ...(series.dashed ? { strokeDasharray: '5 4' } : {}) }));
		if (series.dashed) return;
		marks.push(Plot.ruleX(points.filter((point) => point.high > point.low), { x: at, y1: 'low', y2: 'high', stroke, strokeWidth: 1.5, strokeOpacity: 0.6 }));
		marks.push(Plot.dot(points, { x: at, y: 'y', fill: stroke, symbol: symbol(series), r: 4 }));
	});
	marks.push(Plot.tip(chart.points, Plot.pointer({
		x: at,
		y: 'y',
		fill: 'var(--paper)',
		stroke: 'var(--quiet)',
		title: (point: Point) => `${chart.series[point.series]?.name ?? ''}\n${chart.x.label}: ${number(point.x)}\n${chart.y.label}: ${number(point.y)}`,
	})));
	return Plot.plot({
		width,
		height: Math.min(300, Math.max(220, width * 0.55)),
		marginLeft: 52,
		marginBottom: 38,
		ariaLabel: chart.alternative,
		x: horizontal(chart),
		y: { label: null, type: chart.y.scale === 'log' ? 'log' : 'linear', nice: chart.y.scale === 'linear', tickFormat: number, ticks: 5 },
		marks,
	});
}

function bars(chart: Chart, width: number): Element {
	// Several arms share a label: each gets a lane of its own there, unless one bar goes on where another ends.
	const stacked = chart.bars.every((bar, index) => chart.bars.findIndex((other) => other.label === bar.label) === index || bar.from > 0);
	const lane = (bar: Bar): string => (stacked ? bar.label : `${bar.label}\n${bar.series}`);
	const names = new Map(chart.bars.map((bar) => [lane(bar), bar.label] as const));
	const lanes = [...names.keys()];
	const seen = new Set<string>();
	const shown = new Set(lanes.filter((key) => { const first = !seen.has(names.get(key) ?? ''); seen.add(names.get(key) ?? ''); return first; }));
	const longest = Math.max(...[...names.values()].map((name) => name.length));
	const room = Math.min(Math.round(width * 0.42), longest * 7 + 14);
	const letters = Math.floor((room - 10) / 6.6);
	const short = (key: string): string => {
		const name = shown.has(key) ? names.get(key) ?? '' : '';
		return name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
	};
	const last = chart.bars.filter((bar) => !chart.bars.some((other) => lane(other) === lane(bar) && other.from >= bar.to && other !== bar));
	return Plot.plot({
		width,
		height: lanes.length * 26 + 56,
		marginLeft: room,
		marginRight: 52,
		marginBottom: 38,
		ariaLabel: chart.alternative,
		x: { label: chart.x.label, tickFormat: number, ticks: Math.max(2, Math.round(width / 110)), domain: [0, Math.max(...chart.bars.map((bar) => Math.max(bar.to, bar.high)))] },
		y: { domain: lanes, label: null, tickFormat: short, tickSize: 0, padding: 0.25 },
		marks: [
			Plot.gridX({ stroke: 'var(--rule)', strokeOpacity: 1 }),
			Plot.barX(chart.bars, { y: lane, x1: 'from', x2: (bar: Bar) => Math.max(bar.to, bar.from), fill: (bar: Bar) => colour(chart.series[bar.series]) }),
			Plot.ruleY(chart.bars.filter((bar) => bar.high > bar.low), { y: lane, x1: 'low', x2: 'high', stroke: 'currentColor', strokeWidth: 1.5 }),
			Plot.text(last, { y: lane, x: (bar: Bar) => Math.max(bar.to, bar.high), text: (bar: Bar) => number(bar.to), textAnchor: 'start', dx: 5 }),
			Plot.ruleX([0], { stroke: 'var(--quiet)' }),
			Plot.tip(chart.bars, Plot.pointer({
				y: lane,
				x: (bar: Bar) => (bar.from + bar.to) / 2,
				fill: 'var(--paper)',
				stroke: 'var(--quiet)',
				title: (bar: Bar) => `${bar.label}\n${chart.series[bar.series]?.name ?? ''}: ${bar.from > 0 ? `${number(bar.from)} to ` : ''}${number(bar.to)} ${chart.x.label}`,
			})),
		],
	});
}

function draw(place: Element, chart: Chart): void {
	let drawn = 0;
	const redraw = (): void => {
		const width = Math.floor(place.clientWidth);
		if (width === 0 || width === drawn) return;
		drawn = width;
		const svg = chart.kind === 'bars' ? bars(chart, width) : lines(chart, width);
		svg.setAttribute('role', 'img');
		svg.setAttribute('aria-label', chart.alternative);
		place.replaceChildren(svg);
	};
	redraw();
	new ResizeObserver(redraw).observe(place);
}

const charts = JSON.parse(document.getElementById('charts')?.textContent ?? '[]') as Chart[];
for (const element of document.querySelectorAll('[data-chart]')) {
	const chart = charts[Number(element.getAttribute('data-chart'))];
	if (chart === undefined) continue;
	try {
		draw(element, chart);
	} catch (error) {
		// The plain chart stays.
		console.error(`${chart.title}:`, error);
	}
}

// A table that fits needs no stop for the Tab key; one that does not can be scrolled with the arrow keys.
const fit = new ResizeObserver((entries) => {
	for (const { target } of entries) {
		if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
		else target.removeAttribute('tabindex');
	}
});
for (const table of document.querySelectorAll('.scroll')) fit.observe(table);
