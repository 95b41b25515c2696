/* A table whose rows are elements only while they are in view. */

const ROW_HEIGHT = 24;
const ROWS_BEYOND = 10;

class Table {
	/* columns: { title, text(row), key(row), isText, fill(cell, row) }; open(row) is called for a row that is
	 * chosen; mark(row) is a class of it; isChosen(row): what is shown elsewhere is that of this one. */
	constructor({ label, columns, order, open, mark, isChosen }) {
		this.columns = columns;
		this.open = open;
		this.mark = mark;
		this.isChosen = isChosen;
		this.order = { ...order };
		this.rows = [];
		this.current = 0;
		this.head = element('tr', { 'aria-rowindex': 1 });
		this.body = element('tbody');
		this.before = element('tr', { class: 'space', 'aria-hidden': 'true' }, element('td', { colspan: columns.length }));
		this.after = this.before.cloneNode(true);
		this.table = element('table', { 'aria-label': label }, element('thead', {}, this.head), this.body);
		this.element = element('div', {
			class: 'rows', tabindex: 0, role: 'region', 'aria-label': label,
			onscroll: () => this.draw(),
			onkeydown: (event) => this.key(event),
		}, this.table);
		new ResizeObserver(() => this.draw()).observe(this.element);
		this.makeHead();
	}

	makeHead() {
		this.head.replaceChildren(...this.columns.map((column, number) => element('th', {
			scope: 'col', class: column.isText ? 'text' : 'figure',
			'aria-sort': this.order.column !== number ? 'none' : this.order.isUp ? 'ascending' : 'descending',
		}, column.key ? element('button', { type: 'button', onclick: () => this.sortBy(number) }, column.title)
			: column.title)));
	}

	sortBy(column) {
		const isSame = this.order.column === column;

		this.order = { column, isUp: isSame ? !this.order.isUp : Boolean(this.columns[column].isText) };
		this.makeHead();
		this.show(this.rows);
	}

	show(rows) {
		const { key, isText } = this.columns[this.order.column] || {};
		const sign = this.order.isUp ? 1 : -1;

		this.rows = [...rows];
		if (key && isText)
			this.rows.sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
		else if (key)
			this.rows.sort((a, b) => sign * (key(a) - key(b)));
		this.current = Math.min(this.current, Math.max(0, this.rows.length - 1));
		this.table.setAttribute('aria-rowcount', this.rows.length + 1);
		this.drawn = null;
		this.draw();
	}

	/* Which row is chosen has changed. */
	redraw() {
		this.drawn = null;
		this.draw();
	}

	draw() {
		const height = this.element.clientHeight || 600;
		const first = Math.max(0, Math.floor(this.element.scrollTop / ROW_HEIGHT) - ROWS_BEYOND);
		const last = Math.min(this.rows.length, first + Math.ceil(height / ROW_HEIGHT) + 2 * ROWS_BEYOND);

		if (this.drawn && this.drawn.first === first && this.drawn.last === last && this.drawn.current === this.current)
			return;
		this.drawn = { first, last, current: this.current };
		this.before.firstChild.style.height = `${first * ROW_HEIGHT}px`;
		this.after.firstChild.style.height = `${(this.rows.length - last) * ROW_HEIGHT}px`;
		this.body.replaceChildren(this.before,
			...this.rows.slice(first, last).map((row, i) => this.makeRow(row, first + i)), this.after);
	}

	makeRow(row, number) {
		return element('tr', {
			'aria-rowindex': number + 2, 'aria-current': this.isChosen?.(row) ? 'true' : null,
			class: [this.mark?.(row), number === this.current && 'current'].filter(Boolean).join(' ') || null,
			onclick: () => { this.current = number; this.draw(); this.open?.(row); },
		}, ...this.columns.map((column) => {
			const cell = element('td', { class: column.isText ? 'text' : 'figure' });

			if (column.fill)
				column.fill(cell, row);
			else
				cell.append(column.isText ? named(column.text(row)) : column.text(row));
			return cell;
		}));
	}

	key(event) {
		const page = Math.max(1, Math.floor(this.element.clientHeight / ROW_HEIGHT) - 2);
		const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };

		if (['BUTTON', 'A'].includes(event.target.tagName))
			return;
		if (event.key === 'Enter' && this.rows.length > 0)
			this.open?.(this.rows[this.current]);
		else if (event.key in steps)
			this.move(steps[event.key]);
		else
			return;
		event.preventDefault();
	}

	move(step) {
		this.goTo(Math.max(0, Math.min(this.rows.length - 1, this.current + step)));
		this.tell();
	}

	/* Say what the current row is. */
	tell() {
		if (this.rows.length > 0)
			announce(this.columns.map((column) => column.text(this.rows[this.current])).filter((text) => text !== '').join(', '));
	}

	/* Make a row the current one, and bring it into view: withRest, with more of what follows it than of what precedes
	 * it. */
	goTo(number, withRest = false) {
		this.current = number;

		const top = this.current * ROW_HEIGHT;
		const room = this.element.clientHeight - 2 * ROW_HEIGHT;

		if (withRest)
			this.element.scrollTop = top - room / 4;
		else if (top < this.element.scrollTop)
			this.element.scrollTop = top;
		else if (top > this.element.scrollTop + room)
			this.element.scrollTop = top - room;
		this.draw();
	}
}
