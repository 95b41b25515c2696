/* The flame graph: the width of a box is the value of all paths that begin with it. */

const BOX_HEIGHT = 18;
const BOX_MIN = 0.5;		/* pixels: narrower ones are not drawn */
const TEXT_MIN = 24;
const HUES = [8, 22, 34, 44, 54];
/* Colours that colour-blind people tell apart as well (those of Okabe and Ito, light enough for dark text); the last is that
 * of all others. */
const OBJECT_COLOURS = ['#e69f00', '#56b4e9', '#2fbf95', '#f0e442', '#7aa6e0', '#f28c50', '#dd9fc2', '#b4bac2'];

class FlameGraph {
	constructor(page) {
		this.page = page;
		this.title = element('p', { class: 'detail', 'aria-live': 'polite' });
		this.canvas = element('canvas', {
			tabindex: 0, role: 'application', 'aria-label': words.flame,
			onmousemove: (event) => this.point(event),
			onmouseleave: () => this.describe(this.current),
			onclick: (event) => this.choose(this.boxAt(event)),
			ondblclick: (event) => this.focusOn(this.boxAt(event)),
			onkeydown: (event) => this.key(event),
		});
		this.space = element('div', { class: 'space' });
		this.scroll = element('div', { class: 'flame', onscroll: () => this.draw() }, this.canvas, this.space);
		this.inverted = element('input', {
			type: 'checkbox', onchange: (event) => state.set({ inverted: event.target.checked ? '1' : null, root: null }),
		});
		this.colouring = element('select', { onchange: (event) => state.set({ colour: event.target.value }) },
			element('option', { value: 'function' }, words.colourFunction),
			element('option', { value: 'object' }, words.colourObject),
			page.comparison() && element('option', { value: 'difference' }, words.difference));
		this.found = element('output', { class: 'found' });
		this.element = element('section', { class: 'view' },
			element('div', { class: 'tools' },
				element('label', {}, this.inverted, ` ${words.inverted}`),
				element('label', {}, `${words.colourBy} `, this.colouring),
				element('button', { type: 'button', onclick: () => state.set({ root: null }) }, words.zoomOut),
				this.found),
			this.legend = element('p', { class: 'legend' }),
			this.title, this.scroll, element('p', { class: 'help' }, words.flameHelp));
		new ResizeObserver(() => this.draw()).observe(this.scroll);
	}

	show() {
		const isInverted = state.get('inverted') === '1';

		this.sums = this.page.sums();
		this.inverted.checked = isInverted;
		this.colouring.value = state.get('colour') || (this.page.comparison() ? 'difference' : 'function');
		this.top = rootOfPaths(this.sums, isInverted);
		this.page.comparison()?.begin(isInverted);
		this.root = findPath(this.top, state.get('root'));
		this.match = matcher(state.get('search'));
		this.current = this.root;
		this.layOut();
		this.draw();
		this.describe(this.root);
		this.showFound();
		this.showLegend();
	}

	/* The load objects with the most of the metric in the whole run have a colour each. */
	objectColours() {
		const metric = this.page.metric();

		if (this.coloursOf !== metric.name) {
			const { functionObject } = this.page.model.columns;
			const { exclusive } = this.page.model.sums({ metric, range: null, threads: null }).functions();
			const values = new Map();

			for (let number = 1; number < exclusive.length; number++)
				if (exclusive[number] !== 0)
					add(values, functionObject[number], exclusive[number]);
			this.coloured = bySize(values).slice(0, OBJECT_COLOURS.length - 1).map(({ number }) => number);
			this.hasOthers = values.size > this.coloured.length;
			this.coloursOf = metric.name;
		}
		return this.coloured;
	}

	colourOfObject(object) {
		const place = this.objectColours().indexOf(object);

		return OBJECT_COLOURS[place < 0 ? OBJECT_COLOURS.length - 1 : place];
	}

	showLegend() {
		const objects = this.colouring.value === 'object' ? this.objectColours() : [];
		const names = objects.map((object) => visible(this.page.model.objects[object] || '') || words.noObject);
		const entries = [...names, ...objects.length > 0 && this.hasOthers ? [words.otherObjects] : []].map((name, i) => {
			const entry = element('span', {}, shortened(name, 60));

			entry.style.setProperty('--swatch', OBJECT_COLOURS[i < objects.length ? i : OBJECT_COLOURS.length - 1]);
			return entry;
		});

		this.legend.replaceChildren(...entries);
		this.legend.hidden = entries.length === 0;
	}

	/* The share of all paths with a match on them. */
	showFound() {
		if (!this.match || this.sums.all === 0) {
			this.found.textContent = '';
			return;
		}
		this.found.textContent = words.matches(showPercent(this.page.matchedValue(this.sums, this.match), this.sums.all));
	}

	/* Boxes by depth, from the top to the zoomed one, and all below it that are wide enough. */
	layOut() {
		const width = this.width = Math.max(100, this.scroll.clientWidth || 800);
		const waiting = [];

		this.boxes = [];
		this.depth = 0;
		for (let path = this.root; path; path = path.parent)
			this.boxes.push({ path, left: 0, width, isAbove: path !== this.root });
		if (this.root.value > 0)
			waiting.push({ path: this.root, left: 0, width });
		while (waiting.length > 0) {
			const { path, left, width: room } = waiting.pop();
			let at = left;

			this.depth = Math.max(this.depth, path.depth);
			if (path !== this.root)
				this.boxes.push({ path, left, width: room });
			for (const child of path.children) {
				const wide = room * child.value / path.value;

				if (wide < BOX_MIN)
					break;
				waiting.push({ path: child, left: at, width: wide });
				at += wide;
			}
		}
		this.space.style.height = `${(this.depth + 1) * BOX_HEIGHT}px`;
	}

	draw() {
		if (!this.sums)
			return;
		if (this.scroll.clientWidth && this.width !== this.scroll.clientWidth)
			this.layOut();
		const height = Math.max(BOX_HEIGHT, this.scroll.clientHeight);
		const context = prepareCanvas(this.canvas, this.width, height);

		context.font = `12px ${colour('font')}`;
		context.textBaseline = 'middle';
		this.ink = colour('box-ink');
		for (const box of this.boxes) {
			const top = box.path.depth * BOX_HEIGHT - this.scroll.scrollTop;

			if (top > -BOX_HEIGHT && top < height)
				this.drawBox(context, box, top);
		}
	}

	drawBox(context, box, top) {
		const name = this.page.functionName(box.path.function);

		context.globalAlpha = box.isAbove || (this.match && !this.match(name)) ? 0.35 : 1;
		context.fillStyle = this.colourOf(box.path);
		context.fillRect(box.left, top, Math.max(BOX_MIN, box.width - 0.5), BOX_HEIGHT - 1);
		context.globalAlpha = 1;
		if (box.path === this.current) {
			context.strokeStyle = colour('focus');
			context.lineWidth = 2;
			context.strokeRect(box.left + 1, top + 1, Math.max(1, box.width - 2.5), BOX_HEIGHT - 3);
		}
		if (box.width < TEXT_MIN)
			return;
		context.save();
		context.beginPath();
		context.rect(box.left, top, box.width - 3, BOX_HEIGHT);
		context.clip();
		context.fillStyle = this.ink;
		context.fillText(shortened(name, Math.ceil(box.width / 4)), box.left + 4, top + BOX_HEIGHT / 2);
		context.restore();
	}

	colourOf(path) {
		const number = path.function;

		if (this.colouring.value === 'difference')
			return this.page.comparison().colour(path);
		if (number === TOTAL)
			return colour('box-total');
		if (this.colouring.value === 'object')
			return this.colourOfObject(this.page.model.columns.functionObject[number]);
		return `hsl(${HUES[number % HUES.length]} 75% ${62 + number % 7 * 2}%)`;
	}

	boxAt(event) {
		const area = this.canvas.getBoundingClientRect();
		const depth = Math.floor((event.clientY - area.top + this.scroll.scrollTop) / BOX_HEIGHT);
		const x = event.clientX - area.left;

		return this.boxes.find((box) => box.path.depth === depth && box.left <= x && x < box.left + box.width)?.path;
	}

	point(event) {
		this.describe(this.boxAt(event) || this.current);
	}

	describe(path) {
		const model = this.page.model;
		const metric = this.page.metric();

		if (!path || this.sums.all === 0) {
			this.title.textContent = words.nothing;
			return;
		}
		const object = path.function === TOTAL ? '' : model.objects[model.columns.functionObject[path.function]] || '';

		this.title.replaceChildren(named(this.page.functionName(path.function)), ' ',
			element('span', { class: 'object' }, shortened(visible(object), 100)), ' ',
			this.page.comparison() ? `${this.page.comparison().describe(metric, path)}  –  ` : '',
			`${showValue(metric, path.value)}${metric.unit === 'time' ? ' s' : ''} (${showPercent(path.value, this.sums.all)} %)`);
	}

	choose(path) {
		if (!path)
			return;
		state.set({ root: pathText(path) });
		this.canvas.focus();
	}

	focusOn(path) {
		if (path && path.function !== TOTAL)
			state.set({ view: 'callers', focus: path.function });
	}

	key(event) {
		const path = this.current;
		const siblings = path.parent ? path.parent.children : [path];
		const at = siblings.indexOf(path);
		const moves = {
			ArrowUp: path.parent, ArrowDown: path.children[0],
			ArrowLeft: siblings[at - 1], ArrowRight: siblings[at + 1],
		};

		if (event.key in moves)
			this.moveTo(moves[event.key]);
		else if (event.key === 'Enter')
			this.choose(path);
		else if (event.key === 'Backspace')
			this.choose(this.root.parent || this.root);
		else if (event.key === 'c' && !event.ctrlKey && !event.metaKey)
			this.focusOn(path);
		else
			return;
		event.preventDefault();
	}

	moveTo(path) {
		if (!path)
			return;
		this.current = path;

		const top = path.depth * BOX_HEIGHT;

		if (top < this.scroll.scrollTop)
			this.scroll.scrollTop = top;
		else if (top + BOX_HEIGHT > this.scroll.scrollTop + this.scroll.clientHeight)
			this.scroll.scrollTop = top + BOX_HEIGHT - this.scroll.clientHeight;
		this.draw();
		this.describe(path);
	}
}
