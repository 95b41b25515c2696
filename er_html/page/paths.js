/* Trees of call paths, from the roots or from the leaves, whose nodes are made when they are looked at.
 * A node has a function, a value, a parent, and children, largest first. */

class RootPath {
	constructor(sums, number, parent) {
		this.sums = sums;
		this.number = number;
		this.parent = parent;
		this.depth = parent ? parent.depth + 1 : 0;
		this.function = number === 0 ? TOTAL : sums.model.columns.nodeFunction[number];
		this.value = sums.total[number];
	}

	get children() {
		if (!this.made) {
			const { firstChild, nextChild } = this.sums.model;

			this.made = [];
			for (let child = firstChild[this.number]; child; child = nextChild[child])
				if (this.sums.total[child] > 0)
					this.made.push(new RootPath(this.sums, child, this));
			this.made.sort((a, b) => b.value - a.value);
		}
		return this.made;
	}
}

/* From the leaves: a node stands for all paths that end in the same functions. */
class LeafPath {
	constructor(sums, functionNumber, parent) {
		this.sums = sums;
		this.function = functionNumber;
		this.parent = parent;
		this.depth = parent ? parent.depth + 1 : 0;
		this.value = 0;
		this.places = [];	/* nodes where the paths go on, towards the root */
		this.values = [];
	}

	add(node, value) {
		this.value += value;
		this.places.push(node);
		this.values.push(value);
	}

	get children() {
		if (!this.made) {
			const { nodeParent, nodeFunction } = this.sums.model.columns;
			const found = new Map();

			this.places.forEach((node, i) => {
				if (node === 0)
					return;
				const number = nodeFunction[node];

				if (!found.has(number))
					found.set(number, new LeafPath(this.sums, number, this));
				found.get(number).add(nodeParent[node], this.values[i]);
			});
			this.made = [...found.values()].sort((a, b) => b.value - a.value);
		}
		return this.made;
	}
}

function rootOfPaths(sums, isInverted) {
	if (!isInverted)
		return new RootPath(sums, 0, null);

	const root = new LeafPath(sums, TOTAL, null);

	for (let node = 1; node < sums.model.nodeCount; node++)
		if (sums.self[node] > 0)
			root.add(node, sums.self[node]);
	root.value = sums.all;
	return root;
}

/* Functions from the root, as the state has them: "12.7.31". */
function pathText(path) {
	const numbers = [];

	for (let at = path; at.parent; at = at.parent)
		numbers.unshift(at.function);
	return numbers.join('.');
}

/* As much of the path as there is. */
function findPath(root, text) {
	let path = root;

	for (const number of text ? text.split('.').map(Number) : []) {
		const child = path.children.find((one) => one.function === number);

		if (!child)
			break;
		path = child;
	}
	return path;
}
