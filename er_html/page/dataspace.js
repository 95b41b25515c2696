/* Data objects, and the members of the structure that the chosen one is, or is a part of. */

const CACHE_LINE = 64;	/* bytes that processors fetch together */

/* Where bytes are in such lines, if these begin with the structure; the marks are those of er_print. */
function lineMark(offset, size) {
	const end = offset + size;

	if (size > 0 && Math.floor(offset / CACHE_LINE) !== Math.floor((end - 1) / CACHE_LINE))
		return size > CACHE_LINE ? '#' : '?';
	if (offset % CACHE_LINE === 0)
		return size > 0 && end % CACHE_LINE === 0 ? '<' : '/';
	return size > 0 && end % CACHE_LINE === 0 ? '\\' : '|';
}

class DataObjects {
	constructor(page) {
		const { dataObjects, dataMetrics, dataLayouts } = page.model;

		this.page = page;
		this.metrics = dataMetrics.map((name) => page.model.metric(name));
		this.rows = dataObjects.map(([name, subject, container, offset, size], number) =>
			({ number, name: visible(name), subject, container, offset, size }));
		this.layouts = new Map(dataLayouts.map(([number, ...members]) => [number, members]));
		this.objects = new Table({
			label: words.data, order: { column: 0, isUp: false }, open: (row) => state.set({ 'data-item': row.number }),
			isChosen: (row) => row.number === this.chosen,
			columns: [
				...this.figures((row) => row.values),
				{ title: words.share, text: (row) => showPercent(row.values[0], this.all) },
				{ title: words.name, isText: true, key: (row) => row.name, text: (row) => row.name },
				{ title: words.size, key: (row) => row.size, text: (row) => row.size > 0 ? String(row.size) : '' },
			],
		});
		this.title = element('h3');
		this.layout = new Table({
			label: words.layout, order: {},
			columns: [
				...this.figures((row) => row.values),
				{ title: words.offset, text: (row) => String(row.offset) },
				{ title: words.size, text: (row) => String(row.size) },
				{ title: words.cacheLine, text: (row) => lineMark(row.offset, row.size) },
				{ title: words.member, isText: true, text: (row) => row.name, fill: (cell, row) => {
					cell.style.paddingLeft = `${row.depth * 16 + 8}px`;
					cell.append(named(row.name));
				} },
			],
		});
		this.count = element('p', { class: 'detail', 'aria-live': 'polite' });
		this.element = element('section', { class: 'view traced' }, this.count, this.objects.element,
			this.title, this.layout.element, element('p', { class: 'help' }, words.layoutHelp));
	}

	figures(values) {
		return this.metrics.map((metric, i) => ({
			title: metric.title, key: (row) => values(row)[i], text: (row) => showValue(metric, values(row)[i]),
		}));
	}

	/* What contains an object has its values as well. */
	measure() {
		const sums = this.metrics.map((metric) => this.page.model.bySubject(this.page.chosen(metric)));

		for (const row of this.rows)
			row.values = this.metrics.map(() => 0);
		for (const { subject, number } of this.rows)
			for (let at = subject > 0 ? number : -1; at >= 0; at = this.rows[at].container)
				sums.forEach((list, i) => { this.rows[at].values[i] += list[subject]; });
	}

	/* The structure of an object: that which has a layout, around it. */
	structureOf(number) {
		for (let at = number; at > 0; at = this.rows[at].container)
			if (this.layouts.has(at))
				return at;
		return null;
	}

	show() {
		const match = matcher(state.get('search'));
		const wanted = Number(state.get('data-item') || -1);

		this.measure();

		const shown = this.rows.filter((row) => row.number === 0 ||
			((!match || match(row.name)) && row.values.some((value) => value !== 0)));

		this.all = this.rows[0].values[0];
		this.chosen = this.rows[wanted] ? wanted : null;
		this.objects.show(shown);
		this.count.textContent = words.rows(shown.length);
		this.showLayout(this.chosen === null
			? this.objects.rows.map((row) => this.structureOf(row.number)).find((number) => number !== null) ?? null
			: this.structureOf(this.chosen));
	}

	showLayout(number) {
		const structure = number === null ? null : this.rows[number];
		const none = this.metrics.map(() => 0);

		this.title.textContent = structure ? words.layoutOf(shortened(structure.name, 200)) : words.noLayout;
		this.layout.show(structure ? [
			{ values: structure.values, offset: 0, size: structure.size, depth: 0, name: structure.name },
			...this.layouts.get(number).map(([name, offset, size, depth, object]) => ({
				values: object < 0 ? none : this.rows[object].values, offset, size, depth: depth + 1,
				name: name === '' ? words.padding : visible(name),
			})),
		] : []);
	}
}
