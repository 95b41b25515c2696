/* The page: the choice that all views follow, and the view that is shown. */

/* Each with its name, and whether a page has data for it. */
const VIEWS = [
	['summary', Summary], ['lanes', Lanes], ['flame', FlameGraph], ['functions', Functions],
	['callers', Callers], ['tree', CallTree], ['code', Code, (model) => model.code.length > 0],
	['difference', Difference, (model) => Boolean(model.groups)],
	['locks', Locks, hasTraced('locks')], ['io', Transfers, hasTraced('io')], ['heap', Heap, hasTraced('heap')],
	['data', DataObjects, (model) => model.dataObjects?.length > 1], ['experiments', Experiments],
];

const status = element('p', { class: 'status', role: 'status', 'aria-live': 'polite' });

function announce(text) {
	status.textContent = shortened(text);
}

class Page {
	constructor(model) {
		this.model = model;
		state.timeUnit = model.timeUnit;
		state.threadCount = model.threads.length;
		this.names = model.functions.map(visible);
		this.offered = VIEWS.filter(([, , has]) => !has || has(model));
		this.build();
		state.listeners.push(() => this.show());
		document.addEventListener('keydown', (event) => this.key(event));
		state.read();
	}

	/* ---- what is chosen ---- */

	metric() {
		return this.model.metric(state.get('metric')) || this.model.metrics[0];
	}

	focus() {
		const number = Number(state.get('focus'));

		return Number.isInteger(number) && number >= 0 && number < this.names.length ? number : TOTAL;
	}

	/* What is chosen, for functions of the model. */
	chosen(metric = this.metric(), threads = state.threads()) {
		return { metric, range: state.range(), threads };
	}

	sums(metric = this.metric()) {
		return this.sumsOf(state.threads(), metric);
	}

	/* The sums of some threads. */
	sumsOf(threads, metric = this.metric()) {
		return this.model.sums(this.chosen(metric, threads));
	}

	/* All that there is of a metric. */
	wholeValue(metric) {
		return this.model.sums({ metric, range: null, threads: null }).all;
	}

	comparison() {
		this.madeComparison ||= this.model.groups ? new Comparison(this) : null;
		return this.madeComparison;
	}

	sites() {
		this.madeSites ||= new Sites(this.model);
		return this.madeSites;
	}

	functionName(number) {
		return number === TOTAL ? words.total : this.names[number];
	}

	objectName(number) {
		return number === TOTAL ? '' : visible(this.model.objects[this.model.columns.functionObject[number]] || '');
	}

	/* A link to a line of code, if the page has it; else its place as text. */
	linkToLine(number, file, line) {
		const { files, code } = this.model;
		const { path, parts } = files[file] || {};
		const text = path ? visible(`${path}:${line}`) : '';
		const target = code.find((one) => one.function === number && one.file === file) || code.find((one) => one.file === file);
		const has = ([first, lines]) => line >= first && line < first + lines.split('\n').length;

		if (!target || !parts?.some(has))
			return named(text);
		return element('a', {
			href: `#${state.with({ view: 'code', focus: target.function, code: 'source', line })}`,
			onclick: (event) => event.stopPropagation(),
		}, named(text));
	}

	/* By the name of its load object. */
	isOfLibrary(number) {
		return /^<(lib|ld-|\[|linux-vdso)/.test(this.objectName(number));
	}

	threadName(number) {
		const { experiment, id, name } = this.model.threads[number];

		return `${visible(this.model.experiments[experiment].name)} ${visible(name || `${words.thread} ${id}`)}`;
	}

	/* The value of all paths with a match on them. */
	matchedValue(sums, match) {
		const { nodeParent, nodeFunction } = this.model.columns;
		const isMatch = this.names.map((name, number) => number !== TOTAL && match(name));
		const isBelow = new Uint8Array(this.model.nodeCount);
		let value = 0;

		for (let node = 1; node < this.model.nodeCount; node++) {
			isBelow[node] = isBelow[nodeParent[node]] || isMatch[nodeFunction[node]] ? 1 : 0;
			if (isBelow[node])
				value += sums.self[node];
		}
		return value;
	}

	/* ---- what is shown ---- */

	build() {
		this.metrics = element('select', { id: 'metric', onchange: (event) => state.set({ metric: event.target.value }) },
			...this.model.metrics.map((metric) => element('option', { value: metric.name }, metric.title)));
		this.search = element('input', {
			type: 'search', id: 'search', placeholder: words.searchHint, spellcheck: 'false',
			oninput: (event) => state.set({ search: event.target.value }, false),
		});
		this.choice = element('span', { class: 'choice' });
		this.views = new Map();
		this.place = element('main', { id: 'view', tabindex: -1 });
		this.tabs = element('nav', { 'aria-label': words.choice });
		this.strip = new Strip(this);
		document.body.replaceChildren(
			element('header', {},
				element('h1', {}, named(visible(this.model.title))),
				element('label', { for: 'metric' }, words.metric), this.metrics,
				element('label', { for: 'search' }, words.search), this.search,
				this.choice, this.settings()),
			this.strip.element, this.tabs, this.place, status);
	}

	settings() {
		const themes = element('select', { 'aria-label': words.theme, onchange: (event) => state.set({ theme: event.target.value }) },
			element('option', { value: '' }, words.themeAuto), element('option', { value: 'light' }, words.themeLight),
			element('option', { value: 'dark' }, words.themeDark));
		const languages = element('select', { 'aria-label': 'Language', onchange: (event) => this.speak(event.target.value) },
			...Object.entries(WORDS).map(([tag, { language }]) => element('option', { value: tag, lang: tag }, language)));

		themes.value = state.get('theme') || '';
		languages.value = document.documentElement.lang;
		return element('span', { class: 'settings' }, themes, languages);
	}

	speak(language) {
		useLanguage(language);
		this.build();
		state.set({ language }, false);
		this.show();
	}

	view() {
		const wanted = this.offered.find(([name]) => name === state.get('view')) || this.offered[0];
		const [name, View] = wanted;

		if (!this.views.has(name))
			this.views.set(name, new View(this));
		return { name, view: this.views.get(name) };
	}

	show() {
		const { name, view } = this.view();

		document.documentElement.dataset.theme = state.get('theme') || '';
		this.metrics.value = this.metric().name;
		if (document.activeElement !== this.search)
			this.search.value = state.get('search') || '';
		this.showTabs(name);
		this.showChoice();
		if (this.place.firstChild !== view.element)
			this.place.replaceChildren(view.element);
		this.strip.show();
		view.show();
	}

	showTabs(shown) {
		this.tabs.replaceChildren(...this.offered.map(([name], i) =>
			element('a', { href: `#${state.with({ view: name })}`, 'aria-current': name === shown ? 'page' : null, title: `${i + 1}` },
				words[name])));
	}

	showChoice() {
		const range = state.range(), threads = state.threads();
		const parts = [];

		if (range)
			parts.push(words.range(showMoment(range[0]), showMoment(range[1])));
		if (threads)
			parts.push(words.threadsChosen(threads.size));
		this.choice.replaceChildren(parts.length === 0 ? words.wholeRun : parts.join(', '), ' ');
		if (parts.length > 0)
			this.choice.append(element('button', { type: 'button', onclick: () => state.set({ range: null, threads: null }) },
				words.clear));
	}

	key(event) {
		const isTyping = ['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName);

		if (event.key === 'Escape' && event.target === this.search) {
			state.set({ search: null });
			this.search.value = '';
			this.place.focus();
		}
		if (isTyping || event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (event.key >= '1' && event.key <= '9' && event.key <= this.offered.length)
			state.set({ view: this.offered[event.key - 1][0] });
		else if (event.key === '/')
			this.search.focus();
		else if (event.key === '?')
			announce(words.keys);
		else
			return;
		event.preventDefault();
	}
}

async function start() {
	useLanguage(new URLSearchParams(location.hash.slice(1)).get('language'));
	if (typeof DecompressionStream === 'undefined') {
		document.body.textContent = words.unsupported;
		return;
	}
	const pieces = [...document.querySelectorAll('script.data')];
	const model = new Model(await readData(pieces.map((piece) => piece.textContent)));

	for (const piece of pieces)
		piece.remove();
	document.title = visible(model.title);
	window.page = new Page(model);
	document.documentElement.dataset.ready = 'yes';
}

start();
