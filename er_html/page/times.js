/* A picture of the run over time, where a range is chosen: by dragging, or with the keys. */

const KEY_STEP = 0.1;	/* of the range in view */

/* Sums of a metric in equal parts of [0, end), one for each pixel; of one thread, of a set of them, or of all. */
function sumByTime(model, metric, count, { end = model.duration, thread = null, threads = null } = {}) {
	const sums = new Float64Array(count);
	const { kind, values, unit } = model.cells(metric);

	if (values.length === 0)
		return sums;
	const { part, stack } = kind;
	const { stackThread } = model.columns;
	const byThread = thread === null ? null : model.cellsByThread(kind);
	const first = byThread ? byThread.starts[thread] : 0, last = byThread ? byThread.starts[thread + 1] : values.length;
	const pixels = count / end;
	const scale = model.timeUnit * pixels;	/* pixels of a part */
	const length = metric.unit === 'time' ? unit * pixels : 0;

	for (let i = first; i < last; i++) {
		const cell = byThread ? byThread.order[i] : i;

		if (values[cell] !== 0 && (!threads || threads.has(stackThread[stack[cell]])))
			spread(sums, (part[cell] + 1) * scale, values[cell] * unit, values[cell] * length);
	}
	return sums;
}

/* Time was spent before the event that tells of it; what was spent before the first part is added to that. */
function spread(sums, end, value, length) {
	const until = Math.min(sums.length, end), from = Math.max(0, Math.min(until, end - length));
	const last = Math.min(sums.length - 1, Math.floor(until));
	const first = Math.min(last, Math.floor(from));

	if (first === last) {
		sums[last] += value;
		return;
	}
	for (let i = first; i <= last; i++)
		sums[i] += value * (Math.min(i + 1, until) - Math.max(i, from)) / (until - from);
}

/* What a thread did, as times of metrics, from the bottom of its lane to the top; its colour has the name. */
const DEEDS = [['cpu', /^(totalcpu|kcpu)$/], ['wait', /^(sync|mpitime)$/], ['io', /^io(read|write|other|error)time$/]];

function deedMetrics(model) {
	return DEEDS.map(([name, names]) => ({ name, metrics: model.metrics.filter((metric) => names.test(metric.name)) }))
		.filter(({ metrics }) => metrics.length > 0);
}

/* The most that a process had of memory in each pixel. */
function heapByTime(model, { experiment, first, end }, count) {
	const { levelTime, levelMost, levelLast } = model.columns;
	const { start, end: length } = model.experiments[experiment];
	const pixels = count / model.duration;
	const most = new Float64Array(count);

	for (let i = first; i < end; i++) {
		const from = Math.min(count - 1, Math.floor((start + levelTime[i]) * pixels));
		const until = start + (i + 1 < end ? levelTime[i + 1] : length);

		most[from] = Math.max(most[from], levelMost[i]);
		for (let pixel = from + 1; pixel < Math.min(count, until * pixels); pixel++)
			most[pixel] = Math.max(most[pixel], levelLast[i]);
	}
	return most;
}

/* Lets a canvas choose a range: left is where time 0 of the view begins, in pixels. */
class RangeChooser {
	constructor(canvas, { view, left = 0 }) {
		this.canvas = canvas;
		this.view = view;	/* () => [from, to], the times that the canvas shows */
		this.left = left;
		canvas.addEventListener('pointerdown', (event) => this.begin(event));
		canvas.addEventListener('pointermove', (event) => this.drag(event));
		canvas.addEventListener('pointerup', (event) => this.end(event));
		canvas.addEventListener('pointercancel', () => { this.start = undefined; });
		canvas.addEventListener('keydown', (event) => this.key(event));
	}

	timeAt(event) {
		const area = this.canvas.getBoundingClientRect();
		const [from, to] = this.view();
		const share = (event.clientX - area.left - this.left) / (area.width - this.left);

		return from + Math.max(0, Math.min(1, share)) * (to - from);
	}

	begin(event) {
		if (event.button !== 0 || event.clientX - this.canvas.getBoundingClientRect().left < this.left)
			return;
		this.start = this.timeAt(event);
		this.canvas.setPointerCapture(event.pointerId);
	}

	drag(event) {
		if (this.start === undefined)
			return;
		const range = [this.start, this.timeAt(event)].sort((a, b) => a - b);

		if (range[1] > range[0])
			state.setRange(range, false);
	}

	end(event) {
		if (this.start !== undefined && this.timeAt(event) === this.start)
			state.setRange(null);
		this.start = undefined;
	}

	key(event) {
		const [first, last] = this.view();
		const [from, to] = state.range() || [first, last];
		const step = KEY_STEP * (to - from);
		const clamp = (time) => Math.max(first, Math.min(last, time));
		const ranges = {
			ArrowLeft: [Math.max(first, from - step), Math.max(first, from - step) + to - from],
			ArrowRight: [Math.min(last, to + step) - (to - from), Math.min(last, to + step)],
			'+': [from + step, to - step], '=': [from + step, to - step],
			'-': [clamp(from - step), clamp(to + step)],
			Escape: null,
		};

		if (!(event.key in ranges) || event.ctrlKey || event.metaKey)
			return;
		state.setRange(ranges[event.key], false);
		event.preventDefault();
	}
}

/* The strip above every view: how much of the metric there was at each time. */
const STRIP_HEIGHT = 56;
const AXIS_HEIGHT = 14;

class Strip {
	constructor(page) {
		this.page = page;
		this.canvas = element('canvas', { tabindex: 0, role: 'slider', 'aria-label': words.lanes });
		this.element = element('div', { class: 'strip' }, this.canvas);
		this.chooser = new RangeChooser(this.canvas, { view: () => [0, page.model.duration] });
		new ResizeObserver(() => this.show()).observe(this.element);
	}

	show() {
		const { model } = this.page;
		const width = this.element.clientWidth;

		if (!width || model.duration === 0)
			return;
		const context = prepareCanvas(this.canvas, width, STRIP_HEIGHT);
		const threads = state.threads(), metric = this.page.metric();
		const key = `${width} ${metric.name} ${threads && [...threads]}`;

		if (this.key !== key) {
			this.key = key;
			this.sums = sumByTime(model, metric, width, { threads });
		}
		context.fillStyle = colour('use-cpu');
		drawBars(context, this.sums, { height: STRIP_HEIGHT - AXIS_HEIGHT, largest: Math.max(...this.sums) });
		drawAxis(context, 0, width, STRIP_HEIGHT - AXIS_HEIGHT, [0, model.duration]);
		drawRange(context, 0, width, STRIP_HEIGHT - AXIS_HEIGHT, [0, model.duration]);
		this.tell();
	}

	tell() {
		const range = state.range();

		this.canvas.setAttribute('aria-valuetext', range
			? words.range(showMoment(range[0]), showMoment(range[1])) : words.wholeRun);
		this.canvas.setAttribute('aria-valuenow', range ? range[0] / 1e9 : 0);
	}
}

/* Bars of one pixel each, from left on, above those of below. Returns how high they are. */
function drawBars(context, sums, { left = 0, top = 0, height, largest, below = null }) {
	const highs = new Float64Array(sums.length);

	for (let i = 0; i < sums.length && largest > 0; i++) {
		const base = below ? below[i] : 0;
		const high = Math.min(height - base, height * sums[i] / largest);

		highs[i] = base;
		if (high <= 0)
			continue;
		context.fillRect(left + i, top + height - base - Math.max(1, high), 1, Math.max(1, high));
		highs[i] = base + high;
	}
	return highs;
}

const LABEL_ROOM = 90;

function drawAxis(context, left, width, top, [from, to]) {
	const step = roundStep((to - from) / Math.max(1, Math.floor(width / LABEL_ROOM)));

	context.fillStyle = colour('quiet');
	context.font = `11px ${colour('font')}`;
	context.textBaseline = 'top';
	for (let time = Math.ceil(from / step) * step; time < to; time += step) {
		const x = left + (time - from) / (to - from) * width;

		context.fillRect(Math.round(x), top, 1, 4);
		context.fillText(showMoment(time, step), x + 3, top + 2);
	}
}

function drawRange(context, left, width, height, [from, to]) {
	const range = state.range();

	if (!range)
		return;
	const x = (time) => left + (Math.max(from, Math.min(to, time)) - from) / (to - from) * width;

	context.fillStyle = colour('outside');
	context.fillRect(left, 0, x(range[0]) - left, height);
	context.fillRect(x(range[1]), 0, left + width - x(range[1]), height);
	context.fillStyle = colour('focus');
	context.fillRect(x(range[0]) - 1, 0, 2, height);
	context.fillRect(x(range[1]) - 1, 0, 2, height);
}

/* A lane for each thread, those of an experiment together; only those in view are drawn. */
const LANE_HEIGHT = 26;
const LANE_NAME = 220;

class Lanes {
	constructor(page) {
		this.page = page;
		this.canvas = element('canvas', {
			tabindex: 0, role: 'application', 'aria-label': words.lanes,
			onclick: (event) => this.choose(event),
		});
		this.space = element('div', { class: 'space' });
		this.scroll = element('div', { class: 'flame', onscroll: () => this.draw() }, this.canvas, this.space);
		this.list = element('p', { class: 'detail', 'aria-live': 'polite' });
		this.deeds = deedMetrics(page.model);
		this.sums = new Map();
		this.lanes = this.findLanes();
		this.element = element('section', { class: 'view' }, this.legend(), this.list, this.scroll,
			element('p', { class: 'help' }, words.lanesHelp));
		this.chooser = new RangeChooser(this.canvas, { view: () => [0, page.model.duration], left: LANE_NAME });
		new ResizeObserver(() => this.draw()).observe(this.scroll);
	}

	/* A lane is one of a thread, or, below those of the process, one of its memory. */
	findLanes() {
		const { threads } = this.page.model;
		const heaps = this.page.model.heaps();
		const lanes = [];

		threads.forEach(({ experiment }, thread) => {
			lanes.push({ thread });
			if (heaps.has(experiment) && threads[thread + 1]?.experiment !== experiment)
				lanes.push({ heap: heaps.get(experiment) });
		});
		return lanes;
	}

	legend() {
		const titles = { cpu: words.onCpu, wait: words.inWait, io: words.inIo, heap: words.inUse };
		const names = this.deeds.map(({ name }) => name);

		if (this.page.model.heaps().size > 0)
			names.push('heap');
		return element('p', { class: 'legend' }, ...names.map((name) =>
			element('span', { class: `use-${name}` }, titles[name])));
	}

	/* What a thread did in each pixel; found when it is first in view. */
	useOf(thread, room) {
		const { model } = this.page;

		if (this.room !== room)
			this.sums.clear();
		this.room = room;
		if (!this.sums.has(thread))
			this.sums.set(thread, this.deeds.map(({ name, metrics }) => {
				const lists = metrics.map((metric) => sumByTime(model, metric, room, { thread }));

				return { name, sums: lists.reduce((all, list) => all.map((value, i) => value + list[i])) };
			}));
		return this.sums.get(thread);
	}

	show() {
		this.draw();
	}

	/* The time is below all lanes in view. */
	draw() {
		const { model } = this.page;
		const width = this.scroll.clientWidth, height = this.scroll.clientHeight;
		const count = this.lanes.length;

		this.space.style.height = `${count * LANE_HEIGHT + AXIS_HEIGHT}px`;
		if (width <= LANE_NAME || model.duration === 0)
			return;
		const context = prepareCanvas(this.canvas, width, height);
		const first = Math.floor(this.scroll.scrollTop / LANE_HEIGHT);
		const chosen = state.threads();

		context.font = `12px ${colour('font')}`;
		for (let i = first; i < count && (i - first - 1) * LANE_HEIGHT < height; i++)
			this.drawLane(context, this.lanes[i], i * LANE_HEIGHT - this.scroll.scrollTop, width, chosen);
		context.fillStyle = colour('paper');
		context.fillRect(0, height - AXIS_HEIGHT, width, AXIS_HEIGHT);
		drawRange(context, LANE_NAME, width - LANE_NAME, height, [0, model.duration]);
		drawAxis(context, LANE_NAME, width - LANE_NAME, height - AXIS_HEIGHT, [0, model.duration]);
		this.list.textContent = chosen ? [...chosen].map((thread) => this.page.threadName(thread)).join(', ') : '';
	}

	laneName({ thread, heap }) {
		return heap ? `    ${words.heapOf(showBytes(heap.peak))}` : this.page.threadName(thread);
	}

	drawLane(context, lane, top, width, chosen) {
		const { thread, heap } = lane;
		const room = width - LANE_NAME;
		let below = null;

		context.fillStyle = colour(!chosen || chosen.has(thread) ? 'ink' : 'quiet');
		context.textBaseline = 'middle';
		context.save();
		context.beginPath();
		context.rect(0, top, LANE_NAME - 6, LANE_HEIGHT);
		context.clip();
		context.fillText(this.laneName(lane), 4, top + LANE_HEIGHT / 2);
		context.restore();
		context.fillStyle = colour('line');
		context.fillRect(0, top + LANE_HEIGHT - 1, width, 1);
		if (heap) {
			context.fillStyle = colour('use-heap');
			drawBars(context, heapByTime(this.page.model, heap, room), { left: LANE_NAME, top, height: LANE_HEIGHT - 3,
				largest: heap.peak });
			return;
		}
		for (const { name, sums } of this.useOf(thread, room)) {
			context.fillStyle = colour(`use-${name}`);
			below = drawBars(context, sums, { left: LANE_NAME, top, height: LANE_HEIGHT - 3,
				largest: this.page.model.duration / room, below });
		}
	}

	/* A click on a name chooses the thread, or no longer. */
	choose(event) {
		const area = this.canvas.getBoundingClientRect();
		const lane = this.lanes[Math.floor((event.clientY - area.top + this.scroll.scrollTop) / LANE_HEIGHT)];
		const thread = lane?.thread;
		const chosen = state.threads() || new Set();

		if (thread === undefined || event.clientX - area.left >= LANE_NAME || event.clientY >= area.bottom - AXIS_HEIGHT)
			return;
		if (!chosen.delete(thread))
			chosen.add(thread);
		state.setThreads(chosen);
	}
}
