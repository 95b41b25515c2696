/* The first view: what ran, and the three sentences that a person wants first. */

class Summary {
	constructor(page) {
		this.page = page;
		this.element = element('section', { class: 'view text' });
	}

	show() {
		this.element.replaceChildren(...this.sentences(), ...this.facts(), ...this.totals(), ...this.complaints());
	}

	/* The metric of a list that has the largest sum, and its function with the most of it. */
	worst(names) {
		const metrics = this.page.model.metrics.filter((metric) => names.test(metric.name));
		let found = null;

		for (const metric of metrics) {
			const sums = this.page.sums(metric), { exclusive } = sums.functions(), most = sums.hottest();

			if (most !== TOTAL && (!found || exclusive[TOTAL] > found.all))
				found = { metric, most, value: exclusive[most], all: exclusive[TOTAL] };
		}
		return found;
	}

	sentences() {
		const questions = [
			[words.timeWent, /^(totalcpu|kcpu)$/], [words.whatWaited, /^(lock|sleep|wait|sync$|ompwait|mpitime)/],
			this.worst(/^heapleakbytes$/) ? [words.whatLeaked, /^heapleakbytes$/] : [words.whatGrew, /^heapallocbytes$/],
		];
		const name = (number) => shortened(this.page.functionName(number), 200);

		return questions.flatMap(([question, names]) => {
			const found = this.worst(names);

			if (!found)
				return [];
			const caller = this.callerOutsideLibraries(found);

			return [element('p', { class: 'finding' }, element('strong', {}, `${question}: `),
				element('a', { href: `#view=callers&metric=${found.metric.name}&focus=${found.most}` },
					words.most(showPercent(found.value, found.all), found.metric.title, name(found.most),
						caller === TOTAL ? '' : name(caller))))];
		});
	}

	/* The function that calls one of a library on the path with the most of the metric. TOTAL: it is in no library, or
	 * all are. */
	callerOutsideLibraries({ metric, most }) {
		const { nodeParent, nodeFunction } = this.page.model.columns;
		const { self } = this.page.sums(metric);
		const isOfLibrary = (node) => this.page.isOfLibrary(nodeFunction[node]);
		let node = 0;

		for (let i = 1; i < self.length; i++)
			if (nodeFunction[i] === most && (node === 0 || self[i] > self[node]))
				node = i;
		if (!isOfLibrary(node))
			return TOTAL;
		while (node !== 0 && isOfLibrary(node))
			node = nodeParent[node];
		return node === 0 ? TOTAL : nodeFunction[node];
	}

	facts() {
		return this.page.model.experiments.filter((one) => one.parent === null).map((one) => {
			const facts = [
				[words.experiment, one.name], [words.command, one.command], [words.host, one.host],
				[words.system, one.system], [words.started, one.started],
				[words.duration, `${showTime(one.end)} s`], [words.notes, one.notes],
			].filter(([, text]) => text);

			return element('dl', {}, ...facts.flatMap(([title, text]) =>
				[element('dt', {}, title), element('dd', {}, shortened(visibleLines(text), 10000))]));
		});
	}

	shownWithUnit(metric) {
		const value = showValue(metric, this.page.model.total(this.page.chosen(metric)));

		return metric.unit === 'time' ? `${value} s` : value;
	}

	totals() {
		const rows = this.page.model.metrics.map((metric) => element('tr', {},
			element('th', { scope: 'row', class: 'text' }, element('a', { href: `#view=functions&metric=${metric.name}` },
				metric.title)),
			element('td', { class: 'figure' }, this.shownWithUnit(metric))));

		return [element('table', { class: 'totals' }, element('tbody', {}, ...rows))];
	}

	complaints() {
		const lists = [[words.warnings, this.page.model.experiments.flatMap((one) => one.warnings)],
			[words.problems, this.page.model.problems]];

		return lists.filter(([, list]) => list.length > 0).flatMap(([title, list]) => [element('h2', {}, title),
			element('ul', {}, ...list.map((text) => element('li', {}, shortened(visible(text), 2000))))]);
	}
}
