/* A picture of the run over time, where a range is chosen: by dragging, or with the keys. */

const KEY_STEP = 0.1;	/* of the range in view */

/* Sums of the timed metric in equal parts of [from, to), one for each pixel; of some threads, or of all. */
function sumByTime(model, events, from, to, count, threads) {
	const { eventTime, eventValue, eventStack, stackThread } = model.columns;
	const sums = new Float64Array(count);
	const unit = count / (to - from);

	for (const i of events)
		if (!threads || threads.has(stackThread[eventStack[i]]))
			spread(sums, (eventTime[i] - from) * unit, eventValue[i], model.isTime ? eventValue[i] * unit : 0);
	return sums;
}

/* Time was spent before the event that tells of it. */
function spread(sums, end, value, length) {
	const last = Math.min(sums.length - 1, Math.floor(end));
	const first = Math.max(0, Math.min(last, Math.floor(end - length)));

	if (first === last) {
		sums[last] += value;
		return;
	}
	for (let i = first; i <= last; i++)
		sums[i] += value * (Math.min(i + 1, end) - Math.max(i, end - length)) / length;
}

function* numbers(first, last) {
	for (let i = first; i < last; i++)
		yield i;
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

/* The strip above every view: how much of the timed metric there was at each time. */
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
		const threads = state.threads();
		const key = `${width} ${threads && [...threads]}`;

		if (this.key !== key) {
			this.key = key;
			this.sums = sumByTime(model, numbers(0, model.columns.eventTime.length), 0, model.duration, width, threads);
		}
		drawUse(context, this.sums, 0, STRIP_HEIGHT - AXIS_HEIGHT, Math.max(...this.sums));
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

/* Bars of one pixel each, of the values of a canvas from left. */
function drawUse(context, sums, left, height, largest, top = 0) {
	context.fillStyle = colour('use');
	for (let i = 0; i < sums.length && largest > 0; i++) {
		const high = height * Math.min(1, sums[i] / largest);

		if (high > 0)
			context.fillRect(left + i, top + height - Math.max(1, high), 1, Math.max(1, high));
	}
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
		this.element = element('section', { class: 'view' }, this.list, this.scroll,
			element('p', { class: 'help' }, words.lanesHelp));
		this.chooser = new RangeChooser(this.canvas, { view: () => [0, page.model.duration], left: LANE_NAME });
		new ResizeObserver(() => this.draw()).observe(this.scroll);
	}

	/* The numbers of the events of each thread, found once. */
	lanes() {
		if (!this.made) {
			const { eventStack, stackThread } = this.page.model.columns;
			const lists = this.page.model.threads.map(() => []);

			for (let i = 0; i < eventStack.length; i++)
				lists[stackThread[eventStack[i]]].push(i);
			this.made = lists.map((events, thread) => ({ events, thread }));
			this.space.style.height = `${this.made.length * LANE_HEIGHT + AXIS_HEIGHT}px`;
		}
		return this.made;
	}

	show() {
		this.draw();
	}

	draw() {
		const { model } = this.page;
		const width = this.scroll.clientWidth, height = this.scroll.clientHeight;
		const lanes = this.lanes();

		if (width <= LANE_NAME || model.duration === 0)
			return;
		const context = prepareCanvas(this.canvas, width, height);
		const first = Math.floor(this.scroll.scrollTop / LANE_HEIGHT);
		const chosen = state.threads();

		context.font = `12px ${colour('font')}`;
		for (let i = first; i < lanes.length && (i - first - 1) * LANE_HEIGHT < height; i++)
			this.drawLane(context, lanes[i], i * LANE_HEIGHT - this.scroll.scrollTop, width, chosen);
		drawRange(context, LANE_NAME, width - LANE_NAME, height, [0, model.duration]);
		this.list.textContent = chosen ? [...chosen].map((thread) => this.page.threadName(thread)).join(', ') : '';
	}

	drawLane(context, { events, thread }, top, width, chosen) {
		const { model } = this.page;
		const room = width - LANE_NAME;
		const sums = sumByTime(model, events, 0, model.duration, room, null);

		context.fillStyle = colour(!chosen || chosen.has(thread) ? 'ink' : 'quiet');
		context.textBaseline = 'middle';
		context.save();
		context.beginPath();
		context.rect(0, top, LANE_NAME - 6, LANE_HEIGHT);
		context.clip();
		context.fillText(this.page.threadName(thread), 4, top + LANE_HEIGHT / 2);
		context.restore();
		context.fillStyle = colour('line');
		context.fillRect(0, top + LANE_HEIGHT - 1, width, 1);
		drawUse(context, sums, LANE_NAME, LANE_HEIGHT - 3, model.duration / room, top);
	}

	/* A click on a name chooses the thread, or no longer. */
	choose(event) {
		const area = this.canvas.getBoundingClientRect();
		const lane = this.lanes()[Math.floor((event.clientY - area.top + this.scroll.scrollTop) / LANE_HEIGHT)];
		const chosen = state.threads() || new Set();

		if (!lane || event.clientX - area.left >= LANE_NAME)
			return;
		if (!chosen.delete(lane.thread))
			chosen.add(lane.thread);
		state.setThreads(chosen);
	}
}
