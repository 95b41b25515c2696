/* Call paths by place: where in a function they go on, for the code and for the stacks of traced calls.
 *
 * Sites are nodes of a tree like those of paths; place 0 is none. A place has one frame for each function that is
 * inlined there, the innermost first, and then its own. */

class Sites {
	constructor(model) {
		const { placeFrames, siteParent } = model.columns;

		this.model = model;
		this.count = siteParent.length;
		this.firstFrame = new Uint32Array(placeFrames.length + 2);
		for (let place = 1; place <= placeFrames.length; place++)
			this.firstFrame[place + 1] = this.firstFrame[place] + placeFrames[place - 1];
	}

	/* The function whose code has the address of a place. */
	ownFunction(place) {
		return this.model.columns.frameFunction[this.firstFrame[place + 1] - 1];
	}

	/* The frames of a site and of those that it is called from, as { function, file, line }, from the leaf on. */
	frames(site) {
		const { siteParent, sitePlace, frameFunction, frameFile, frameLine } = this.model.columns;
		const frames = [];

		for (; site; site = siteParent[site]) {
			const place = sitePlace[site];

			for (let i = this.firstFrame[place]; i < this.firstFrame[place + 1]; i++)
				frames.push({ function: frameFunction[i], file: frameFile[i] - 1, line: frameLine[i] });
		}
		return frames;
	}

	/* The values of sites for a choice: of the stacks that end there, and of those whose leaf was left out. A stack has
	 * twice the number of its site, and 1 more if its leaf was left out. */
	values(choice) {
		const sums = this.model.addUp(choice, this.model.columns.stackSite, 2 * this.count);

		return { own: sums.filter((value, i) => i % 2 === 0), others: sums.filter((value, i) => i % 2 === 1) };
	}

	/* For each choice, the values of the stacks that end at each site, of one subject only. */
	valuesOf(choices, subject) {
		const { stackSite, stackSubject } = this.model.columns;
		const sites = stackSite.map((site, stack) => stackSubject[stack] === subject ? site >>> 1 : this.count);

		return choices.map((choice) => this.model.addUp(choice, sites, this.count + 1).subarray(0, this.count));
	}

	/* Sums by what keys(place) names: [exclusive, inclusive] by key. A key counts once for each stack; the first
	 * of the leaf has the exclusive value. */
	sums({ own, others }, keys) {
		const { siteParent, sitePlace } = this.model.columns;
		const sums = new Map(), seen = new Map();

		for (let site = 1; site < this.count; site++) {
			const value = own[site] + others[site];

			if (own[site] === 0 && others[site] === 0)
				continue;
			for (let at = site; at; at = siteParent[at])
				for (const key of keys(sitePlace[at])) {
					if (seen.get(key) === site)
						continue;
					seen.set(key, site);
					if (!sums.has(key))
						sums.set(key, [0, 0]);
					sums.get(key)[1] += value;
				}
			const [leaf] = keys(sitePlace[site]);

			if (leaf !== undefined && own[site] !== 0)
				sums.get(leaf)[0] += own[site];
		}
		return sums;
	}
}
