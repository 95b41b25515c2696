/* Elements of the page. Every text from an experiment becomes a text node, never markup. */

function element(name, attributes = {}, ...children) {
	const made = document.createElement(name);

	for (const [key, value] of Object.entries(attributes)) {
		if (key.startsWith('on'))
			made.addEventListener(key.slice(2), value);
		else if (value === true)
			made.setAttribute(key, '');
		else if (value !== false && value !== null && value !== undefined)
			made.setAttribute(key, value);
	}
	made.append(...children.filter((child) => child !== null && child !== undefined));
	return made;
}

/* Texts may hold anything: controls and marks that turn the direction of the text are shown as their code. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

function visible(text) {
	return text.replace(HIDDEN, (character) =>
		`\\u{${character.codePointAt(0).toString(16)}}`);
}

/* The same of a text of several lines. */
function visibleLines(text) {
	return text.split('\n').map(visible).join('\n');
}

/* A name that fits a line; the whole of it is its title. */
const NAME_MAX = 400;

function shortened(text, length = NAME_MAX) {
	return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function named(text) {
	return element('span', { class: 'name', title: shortened(text, 4000) }, shortened(text));
}

/* A canvas as sharp as the screen, and its context in units of CSS pixels. */
function prepareCanvas(canvas, width, height) {
	const ratio = window.devicePixelRatio || 1;
	const context = canvas.getContext('2d');

	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	canvas.style.width = `${width}px`;
	canvas.style.height = `${height}px`;
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	return context;
}

function colour(name) {
	return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
