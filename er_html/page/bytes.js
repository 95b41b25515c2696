/* The data of the page: a compressed stream, as base64, of a head in JSON and of columns of numbers.
 * It is in several pieces of whole bytes. */

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function decodeBase64(text) {
	return Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : decodeBase64Here(text);
}

/* For browsers that do not know how. */
function decodeBase64Here(text) {
	const digits = new Uint8Array(128);
	const bytes = new Uint8Array(Math.floor(text.length / 4) * 3);
	let at = 0;

	for (let i = 0; i < BASE64.length; i++)
		digits[BASE64.charCodeAt(i)] = i;
	for (let i = 0; i + 3 < text.length; i += 4) {
		const word = digits[text.charCodeAt(i)] << 18 | digits[text.charCodeAt(i + 1)] << 12 |
			digits[text.charCodeAt(i + 2)] << 6 | digits[text.charCodeAt(i + 3)];

		bytes[at++] = word >> 16;
		bytes[at++] = word >> 8;
		bytes[at++] = word;
	}
	return bytes.subarray(0, at - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0));
}

async function decompress(pieces) {
	const { readable, writable } = new DecompressionStream('gzip');
	const writer = writable.getWriter();
	const [bytes] = await Promise.all([new Response(readable).arrayBuffer(),
		...pieces.map((piece) => writer.write(piece)), writer.close()]);

	return new Uint8Array(bytes);
}

/* The smallest array that holds the numbers of a column. */
function arrayFor(form) {
	if (form.signed)
		return form.largest < 2 ** 31 ? new Int32Array(form.count) : new Float64Array(form.count);
	if (form.largest < 2 ** 16)
		return form.largest < 2 ** 8 ? new Uint8Array(form.count) : new Uint16Array(form.count);
	return form.largest < 2 ** 32 ? new Uint32Array(form.count) : new Float64Array(form.count);
}

/* Numbers have seven bits in each byte, the lowest first; the last byte of each is below 128. Most columns have many
 * numbers of a single byte. */
function decodeColumn(bytes, form) {
	const { count, signed: isSigned, delta: isDelta } = form;

	if (!isSigned && !isDelta && bytes.length === count)
		return bytes.slice();
	const values = arrayFor(form);
	let at = 0, last = 0;

	for (let i = 0; i < count; i++) {
		let byte = bytes[at++], number = byte & 127;

		for (let shift = 7; byte > 127 && shift < 28; shift += 7) {
			byte = bytes[at++];
			number |= (byte & 127) << shift;
		}
		for (let unit = 2 ** 28; byte > 127; unit *= 128) {
			byte = bytes[at++];
			number += (byte & 127) * unit;
		}
		if (isSigned)
			number = number & 1 ? -(number + 1) / 2 : number / 2;
		values[i] = last = isDelta ? last + number : number;
	}
	return values;
}

/* Returns the head, with the columns by their names, and the unit of each. */
async function readData(texts) {
	const bytes = await decompress(texts.map(decodeBase64));
	const length = new DataView(bytes.buffer).getUint32(0, true);
	const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
	const columns = {}, units = {};
	let at = 4 + length;

	for (const form of head.columns) {
		columns[form.name] = decodeColumn(bytes.subarray(at, at + form.bytes), form);
		units[form.name] = form.unit;
		at += form.bytes;
	}
	return { ...head, columns, units };
}
