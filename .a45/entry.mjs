import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { fileURLToPath } from "node:url";
import { Script, createContext } from "node:vm";
import "picomatch";
import { Decimal } from "decimal.js";
import { ComputeEngine } from "@cortex-js/compute-engine";
// src/replies/answers/markup.ts
/** Whether a line holds only marks: a code fence, the begin or end of display math, a rule, a closing tag. */
function isBareMarks(line) {
	const text = line.trim();
	return text.length <= longestMarks && (/^\*{0,3}$/.test(text) || bareMarks.test(text));
}
const longestMarks = 60;
const stopTokens = /(?:<\|[^|<>]{1,30}\|>|<\/s>|<(?:EOS_TOKEN|eos|end_of_turn)>)$/i;
const bareMarks = /^(?:\\[[\]()]|\${1,2}|[`~]{3,}[\w+-]*|[-*_]{3,}|<\/\w+>|<\|[^|<>]+\|>|\\(?:begin|end)\{[\w*]+\}|[{}_"`“”]{1,3})$/;
/**
* Removes what stands around a text without being part of it: Markdown emphasis, code ticks, quotes, math signs, a LaTeX command
* such as `\text{…}`, a pair of HTML tags, and brackets of LaTeX that have no partner.
*/
function stripMarkup(answer) {
	let text = answer.trim();
	for (let i = 0; i < deepestNesting; i++) {
		const bare = layers.reduce((inner, strip) => strip(inner), text);
		if (bare === text) break;
		text = bare;
	}
	return text;
}
const deepestNesting = 12;
const layers = [
	cutStopToken,
	trimMarks,
	cutDollars,
	(text) => cutPair(text, "\\(", "\\)"),
	(text) => cutPair(text, "\\[", "\\]"),
	cutBraces,
	unwrapCommand,
	unwrapQuotes,
	unwrapTags
];
function cutStopToken(text) {
	return text.endsWith(">") ? text.replace(stopTokens, "").trimEnd() : text;
}
const wrapping = /* @__PURE__ */ new Set([..."*_`\"“”„ 	\n"]);
function trimMarks(text) {
	let from = 0;
	let to = text.length;
	while (from < to && wrapping.has(text[from])) from++;
	while (to > from && wrapping.has(text[to - 1])) to--;
	if (text[to - 1] === "." && wrapping.has(text[to - 2] ?? "")) to--;
	return text.slice(from, to);
}
/** Cuts the dollars of math. A dollar before a number stays, because it is a currency. */
function cutDollars(text) {
	if (/^\$[^$]+\$\.?$/.test(text)) return text.replace(/^\$|\$(?=\.?$)/g, "").trim();
	if (text.startsWith("$$")) return text.replace(/^\$\$|\$\$(?=\.?$)/g, "").trim();
	return text.split("$").length % 2 === 0 && /\$\.?$/.test(text) ? text.replace(/\$(?=\.?$)/, "").trim() : text;
}
/** Cuts an opening and a closing mark around a text, and one without its partner. */
function cutPair(text, open, close) {
	if (text.startsWith(open)) {
		const at = text.indexOf(close);
		const behind = at < 0 ? "" : text.slice(at + close.length);
		if (at < 0) return text.slice(open.length).trim();
		return /^\s{0,9}[.,;:!]?$/.test(behind) ? `${text.slice(open.length, at).trim()}${behind.trim()}` : text;
	}
	const body = /[.,;:!]$/.test(text) ? text.slice(0, -1) : text;
	return body.endsWith(close) && !body.includes(open) ? body.slice(0, -close.length).trim() : text;
}
/** Cuts a brace without its partner. A text of brackets alone stays as it is. */
function cutBraces(text) {
	if (!/^[{}]|\}\.?$/.test(text) || !/[\p{L}\p{N}]/u.test(text)) return text;
	const opened = text.split("{").length;
	const closed = text.split("}").length;
	if (text.startsWith("}")) return text.slice(1).trim();
	if (closed > opened && /[^\\]\}\.?$/.test(text)) return text.replace(/\}(?=\.?$)/, "").trim();
	return opened > closed && text.startsWith("{") ? text.slice(1).trim() : text;
}
const commands = /^\\(?:text(?:bf|it|rm|sf|tt|normal)?|math(?:bf|it|rm|sf|tt)|mbox|operatorname|[fc]?boxed|fbox|emph)\s?\{/;
/** Unwraps a LaTeX command that holds the whole text, and cuts one that is not closed. */
function unwrapCommand(text) {
	const open = commands.exec(text)?.[0];
	if (open === void 0) return text;
	const end = closingBrace(text, open.length);
	if (end === void 0) return text.slice(open.length).trim();
	return /^\.?$/.test(text.slice(end + 1)) ? text.slice(open.length, end).trim() : text;
}
/** Returns the index of the brace that closes the one before `from`. Escaped braces do not count. */
function closingBrace(text, from) {
	let depth = 1;
	for (let i = from; i < text.length; i++) if (text[i] === "\\") i++;
	else if (text[i] === "{") depth++;
	else if (text[i] === "}" && --depth === 0) return i;
}
const quotes = [
	"''",
	"‘’",
	"«»",
	"‹›",
	"「」",
	"『』"
];
function unwrapQuotes(text) {
	const pair = quotes.find((marks) => text.length > 2 && text.startsWith(marks[0]));
	const inner = text.slice(1, -1);
	if (pair === void 0 && /^[^'’]+['’]$/.test(text)) return text.slice(0, -1);
	return pair !== void 0 && text.endsWith(pair[1]) && !inner.includes(pair[1]) ? inner.trim() : text;
}
function unwrapTags(text) {
	const [open, name] = /^<([a-z]\w{0,20})>/i.exec(text) ?? [];
	if (open === void 0 || !text.endsWith(`</${name}>`)) return text;
	return text.slice(open.length, -open.length - 1).trim();
}
const longestLine$1 = 65536;
/** Returns a reply of which each line ends as it did, but a very long one has lost its begin: no answer is that long. */
const cutLongLines = (reply) => reply.length <= longestLine$1 ? reply : reply.split("\n").map((line) => line.slice(-65536)).join("\n");
/** A longer text is cut. */
const longestText$1 = 2e3;
const longestBlock = 20;
const isOpener = (line) => /^\s*(?:\\\[|\$\$|[`~]{3,}[\w+-]*)\s*$/.test(line.slice(0, 80));
const anyItem = /^\s{0,9}(?:[-*•+‣]|\d{1,2}[.)]|\(?[A-Za-z][.)])\s/;
/**
* Returns the text under an announcement, and the index of its last line: the next line that holds more than marks. A code block or
* display math, and a list, are one text, because each of their lines may name an answer.
*/
function textBelow(lines, at, opened) {
	let first = at + 1;
	let opener = isOpener(opened) ? opened : "";
	for (; first < lines.length && isBareMarks(lines[first]); first++) if (isOpener(lines[first])) opener = lines[first];
	if (first >= lines.length) return void 0;
	const until = opener === "" ? endOfList(lines, first) : endOfBlock(lines, first, opener.trim());
	const shown = lines.slice(first, until).map((line) => line.slice(0, longestText$1));
	return {
		text: (opener === "" ? shown.map(cutPrefix) : shown).join("\n"),
		end: until - 1
	};
}
function endOfBlock(lines, first, opener) {
	const closer = opener === "\\[" ? "\\]" : opener.slice(0, opener.includes("$") ? 2 : 3);
	const end = lines.findIndex((line, i) => i > first && line.trim().startsWith(closer));
	return end < 0 || end - first > longestBlock ? first + 1 : end;
}
function endOfList(lines, first) {
	let end = first + 1;
	if (!anyItem.test(lines[first])) return end;
	while (end < lines.length && end - first < longestBlock && anyItem.test(lines[end])) end++;
	return end;
}
/** Cuts what makes a line a list item, a heading or a quotation. A number stays: it may be the answer, but for a leading `1.` */
const cutPrefix = (line) => line.replace(/^\s{0,9}(?:>\s?)*(?:#{1,6}\s+)?(?:[-*•+‣]\s+|1[.)]\s+(?=[^\d\s]))?/, "");
/** Returns the index of the last line before another that holds more than marks; -1 without one. */
function lineBefore(lines, before) {
	let at = before - 1;
	while (at >= 0 && (isBareMarks(lines[at]) || stripMarkup(lines[at]) === "")) at--;
	return at;
}
// src/replies/answers/number-amount.ts
const digits = String.raw`\.?\d+(?:[.,'_]\d+)*(?:[eE][-+–]?\d+(?![\p{L}\d]))?`;
const forms$3 = {
	digits: new RegExp(digits, "uy"),
	grouped: /[1-9]\d{0,2}(?: \d{3}){1,7}(?:\.\d+|,(?:\d{1,2}|\d{4,}))?(?![.,'_]?\d|[eE][-+–]?\d| \.?\d|\/)/y,
	power: /(?:\*\*(\d{1,4})(?![.,'_]?\d)|\^[{(]? ?([-+–]?)(\d{1,4}) ?[})]?)(?![\p{L}\d°']|\.\d)/uy,
	ten: / ?[x×·*] ?10(?=\^|\*\*)/iy,
	quotient: new RegExp(` ?/ ?(${digits})`, "uy"),
	mixed: /^ (\d{1,9})\/(\d{1,9})(?![.,'_]?\d| ?\/)/
};
function matchAt(form, text, at) {
	form.lastIndex = at;
	return form.exec(text) ?? void 0;
}
/** Reads the size of the number whose digits start at a place: with groups, as a fraction, or with a power of ten. */
function readAmount(text, at) {
	const groups = matchAt(forms$3.grouped, text, at)?.[0];
	const written = groups ?? matchAt(forms$3.digits, text, at)?.[0];
	const value = groups === void 0 ? valueOfDigits(written) : Number(written.replaceAll(" ", "").replace(",", "."));
	const end = at + written.length;
	return readPower(text, at, {
		value,
		end
	}) ?? readQuotient(text, written, {
		value,
		end
	}) ?? {
		value,
		end
	};
}
/** Reads `10^3`, or `× 10^3` behind a number. */
function readPower(text, at, { value, end }) {
	const ten = matchAt(forms$3.ten, text, end);
	const isTen = text.slice(at, end) === "10";
	const power = matchAt(forms$3.power, text, ten ? end + ten[0].length : end);
	if (power === void 0 || value === void 0 || !isTen && !ten) return void 0;
	const [whole, stars, sign = "", raised] = power;
	const exponent = Number(stars ?? raised) * (/[-–]/.test(sign) ? -1 : 1);
	return {
		value: shiftValue(ten ? value : 1, exponent),
		end: power.index + whole.length
	};
}
/** Reads the rest of a fraction (`3/4`, `3 / 4`) or of a mixed number (`1 3/4`). A second line (`1/2/2024`) makes it no number. */
function readQuotient(text, written, { value, end }) {
	const [mixed, above, below] = forms$3.mixed.exec(text.slice(end, end + 24)) ?? [];
	if (mixed !== void 0 && Number.isSafeInteger(value) && Number(above) < Number(below)) return {
		value: value + Number(above) / Number(below),
		end: end + mixed.length
	};
	const quotient = value === void 0 ? void 0 : matchAt(forms$3.quotient, text, end);
	if (!quotient) return void 0;
	const divisor = quotient[1];
	let last = end + quotient[0].length;
	const isSingle = !matchAt(forms$3.quotient, text, last);
	for (let more = quotient; more; more = matchAt(forms$3.quotient, text, last)) last = more.index + more[0].length;
	const isPlain = isSingle && !isDecimalComma(written) && !isDecimalComma(divisor);
	const under = valueOfDigits(divisor);
	return {
		value: isPlain && under !== void 0 ? value / under : void 0,
		end: last
	};
}
/**
* Returns the value of digits with the marks between them; undefined if they are no single number (`1,2,3`, `1_000`, `1.2.3`).
* Commas, apostrophes and, if there are several, dots part thousands; lakhs are read too (`12,34,567`). A comma that can part no
* thousands is a decimal comma (`0,125`, `2,5`, `2,74`, `1000,99`).
*/
function valueOfDigits(written) {
	const [mantissa = "", exponent] = written.split(/e/i);
	const plain = spellings.find(([form]) => form.test(mantissa))?.[1](mantissa);
	if (plain === void 0) return void 0;
	return Number(exponent === void 0 ? plain : `${plain}e${exponent.replace("–", "-")}`);
}
/** Whether digits are parted by one comma alone, and it can only be a decimal comma: `0,125`, `2,5`, `1000,99`. */
const isDecimalComma = (written) => decimalComma.test(written);
const decimalComma = /^(?:0,\d+|[1-9]\d*,(?:\d{1,2}|\d{4,}))$/;
const spellings = [
	[/^(?:\d+(?:\.\d+)?|\.\d+)$/, (text) => text],
	[/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$|^[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?$/, (text) => text.replaceAll(",", "")],
	[/^[1-9]\d{0,2}(?:'\d{3})+(?:\.\d+|,(?:\d{1,2}|\d{4,}))?$/, (text) => text.replaceAll("'", "").replace(",", ".")],
	[/^[1-9]\d{0,2}(?:\.\d{3}){2,}(?:,\d+)?$|^[1-9]\d{0,2}\.\d{3},\d+$/, (text) => text.replaceAll(".", "").replace(",", ".")],
	[decimalComma, (text) => text.replace(",", ".")]
];
/** Returns a value times a power of ten, without the error of a binary product: 4.35 and 2 give 435. */
function shiftValue(value, power) {
	const written = String(value);
	return /e/.test(written) ? value * 10 ** power : Number(`${written}e${power}`);
}
/**
* Rewrites the numbers of a text in which a comma stands before decimals and points may part thousands: `1.234,5` becomes `1234.5`.
* Numbers that can only be written with a decimal point (`2.5`), or have several commas, stay as they are.
*/
const commasToPoints = (text) => text.replace(/\d[\d.,]*/g, (number) => {
	const [, whole, decimals = "", rest] = /^(\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d+))?([.,]?)$/.exec(number) ?? [];
	if (whole === void 0) return number;
	return `${whole.replaceAll(".", "")}${decimals && `.${decimals}`}${rest}`;
});
const units = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const tens = "twenty thirty forty fifty sixty seventy eighty ninety";
const small = new Map([
	...units.split(" ").map((word, value) => [word, value]),
	...tens.split(" ").map((word, index) => [word, 20 + 10 * index]),
	["fourty", 40]
]);
const large = /* @__PURE__ */ new Map([
	["thousand", 1e3],
	["million", 1e6],
	["billion", 1e9],
	["trillion", 0xe8d4a51000]
]);
/** A word for a number, as an expression: `seven`, `forty`. */
const numberWord = [...small.keys()].join("|");
const nextWord = /[ -](?:(?<= )and )?(\p{L}+)/uy;
/** Reads the English number that starts at a place: `two hundred and seven`, `forty-two`; undefined if none starts there. */
function readNumberWords(text, start) {
	let total = 0;
	let group;
	let lastAdded = Number.POSITIVE_INFINITY;
	let end = start;
	let match = /^\p{L}+/u.exec(text.slice(start, start + 20))?.[0];
	for (let at = start; match !== void 0;) {
		const word = match.toLowerCase();
		const value = small.get(word);
		if (value !== void 0) {
			if (value >= lastAdded || lastAdded >= 20 && lastAdded < 100 && value >= 10) return void 0;
			if (group !== void 0 && lastAdded < 20) return void 0;
			group = (group ?? 0) + value;
			lastAdded = value;
		} else if (word === "hundred" && group !== void 0 && group > 0 && group < 100) {
			group *= 100;
			lastAdded = 100;
		} else if (large.has(word) && group !== void 0) {
			total += group * large.get(word);
			group = 0;
			lastAdded = Number.POSITIVE_INFINITY;
		} else break;
		end = at + word.length;
		nextWord.lastIndex = end;
		const next = nextWord.exec(text);
		at = nextWord.lastIndex - (next?.[1]?.length ?? 0);
		match = next?.[1];
	}
	return end === start ? void 0 : {
		value: total + (group ?? 0),
		end
	};
}
// src/base/package-root.ts
let found;
/** Returns the folder of this package's package.json, both from source and from dist/. Built-in tasks and fixtures are found from it. */
function packageRoot() {
	if (found) return found;
	let folder = dirname(fileURLToPath(import.meta.url));
	while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
	found = folder;
	return folder;
}
// src/replies/answers/phrases.ts
/** Reads one of the tables of phrases by which answers are read: `en` for `phrases/en.yaml`. */
function phrasesIn(name) {
	const path = join(packageRoot(), "src", "replies", "answers", "phrases", `${name}.yaml`);
	return parse(readFileSync(path, "utf8"));
}
/** Replaces `<name>` in an expression by the part of that name. A name that has no part is what it says, such as `(?<answer>`. */
const fillParts = (source, parts) => source.replace(/(?<!\(\?)<(\w+)>/g, (whole, name) => {
	const part = parts[name];
	return part === void 0 ? whole : `(?:${fillParts(part, parts)})`;
});
/** Returns the words of a text that spaces part. */
const wordsOf$2 = (text) => text.normalize("NFC").split(/\s+/);
/** Returns the value of each word of a table from values to their words. */
const valuesOf = (table) => new Map(Object.entries(table).flatMap(([value, row]) => wordsOf$2(row).map((word) => [word, Number(value)])));
const languages$1 = phrasesIn("languages");
const foreign = new Set(languages$1.flatMap(({ magnitudes = "" }) => wordsOf$2(magnitudes)));
const joined = new RegExp(`^(?:${languages$1.flatMap(({ joined = "" }) => wordsOf$2(joined)).filter(Boolean).join("|")})`, "u");
/** Signs that multiply may stand before a unit: 千克 is a kilogram, 조각 a piece. */
const unitOfSign = /^(?:千[克米瓦卡赫帕]|조각|만큼)/u;
/** Whether a word behind a number makes another number of it in a language other than English, such as `triệu` or `5個半`. */
function isForeignMagnitude(unit, touches) {
	const written = unit.toLowerCase().normalize("NFC");
	if (unitOfSign.test(written)) return false;
	const half = touches ? /[半반]$/u : /^[半반]$/u;
	return foreign.has(written) || joined.test(written) || half.test(written) || /分之/.test(written);
}
const english = phrasesIn("en");
/** The expressions of the forms of announcement, in English. */
const forms$2 = Object.fromEntries(Object.entries(english.forms).map(([form, source]) => [form, fillParts(source, english.parts)]));
/** The words by which an option is chosen, in any language: expressions with `<letter>`. */
const choices = [...english.chooses, ...languages$1.flatMap(({ chooses = [] }) => chooses)];
/** What English phrases say: each fact is an expression that matches where a phrase of it stands. */
const says = Object.fromEntries(Object.entries(english.facts).map(([fact, phrases]) => {
	const sources = phrases.map((phrase) => fillParts(phrase.says, english.parts));
	return [fact, new RegExp(sources.join("|"), phrases[0]?.exact ? "gu" : "iu")];
}));
/** Where a text names a letter, beyond doubt and perhaps. One group of each match is the letter. */
const letters$1 = Object.fromEntries(Object.entries(english.letters).map(([how, phrases]) => [how, new RegExp(fillParts(phrases.map(({ says }) => says).join("|"), { noWord: "(?![\\p{L}\\p{N}'’^-])" }), "gu")]));
// src/replies/answers/options.ts
const longestText = 2e3;
const alphabet = "abcdefghijklmnopqrstuvwxyz";
/** Returns the letter of an option: A for the first. */
const optionLetter = (index) => (alphabet[index] ?? String(index + 1)).toUpperCase();
/** Returns the index of the option that has a letter, in either case; -1 if none has it. */
function indexOfLetter(letter, options) {
	const index = alphabet.indexOf(letter.toLowerCase());
	return index < options.length ? index : -1;
}
/** Returns a text without marks and LaTeX commands, in composed letters, with single spaces. Its case stays. */
function plainText(text) {
	return text.slice(0, longestText).normalize("NFC").replace(/\\(?:text(?:bf|it|rm|sf|tt|normal)?|math(?:bf|it|rm|sf|tt)|mbox|[fc]?boxed|fbox|emph)\s?(?=\{)/g, "").replace(/\{\s?(and|or|und|oder|,)\s?\}/gi, " $1 ").replace(/\\[()[\]]|[*_`"“”$]/g, "").replace(/<(b|strong|i|em|u|code|mark)>(.*?)<\/\1>/gi, "$2").replace(/\\[,;!]|~/g, " ").replace(/\s+/g, " ").replace(/^(?:\.\.\.|…)\s?(?=\S)/, "").trim();
}
/** Returns a text in the form in which it is compared with options. */
const comparableText = (text) => plainText(text).toLowerCase().replace(/[‘’]/g, "'").replace(/^\{([^{}]*)\}$/, "$1").replace(/[.!]$/, "").trim();
/** Returns the index of the only option whose text is a text. */
function optionByText(comparable, options) {
	const [index, ...others] = options.flatMap((option, i) => comparableText(option) === comparable ? [i] : []);
	return others.length === 0 ? index : void 0;
}
/** Returns the longest option text with which a text begins. */
function optionAtStart(comparable, options) {
	const begun = options.flatMap((option, index) => {
		const text = comparableText(option);
		return text !== "" && comparable.startsWith(text) && !continues(text, comparable.slice(text.length)) ? [{
			index,
			length: text.length
		}] : [];
	});
	const length = Math.max(0, ...begun.map((option) => option.length));
	return length === 0 ? void 0 : {
		indexes: begun.flatMap((one) => one.length === length ? [one.index] : []),
		length
	};
}
/** Returns the places where the texts of options stand in a text as whole words, in order. A text within a longer one does not count. */
function textMentions(comparable, options) {
	const byLength = options.map((option, index) => ({
		index,
		text: comparableText(option)
	})).filter(({ text }) => text !== "").sort((a, b) => b.text.length - a.text.length);
	const found = [];
	for (const { index, text } of byLength) for (let from = comparable.indexOf(text); from >= 0; from = comparable.indexOf(text, from + text.length)) {
		const to = from + text.length;
		if (!continues(text, comparable.slice(to, to + 2)) && !begins(comparable.slice(Math.max(0, from - 2), from), text) && !found.some((other) => other.from < to && from < other.to)) found.push({
			index,
			from,
			to
		});
	}
	return found.sort((a, b) => a.from - b.from);
}
const begins = (before, words) => /[\p{L}\p{N}]$/u.test(before) ? /^[\p{L}\p{N}]/u.test(words) : /\d[.,]$|[-−]$/.test(before) && /^\d/.test(words);
/** Whether a text goes on in the word or number with which another ends: `Paris` in `Parisian`, `1` in `1.5`. */
const continues = (text, after) => /[\p{L}\p{N}]$/u.test(text) && (/^[\p{L}\p{N}]/u.test(after) || /\d$/.test(text) && /^(?:[.,]\d|%)/.test(after));
/** Returns the places where a text names an option by its letter. Letters of formulas and words (`A`, `I`) do not count. */
function letterMentions(plain, options, how) {
	return [...plain.matchAll(letters$1[how])].flatMap((match) => {
		const index = indexOfLetter(match.slice(1).find((part) => part !== void 0), options);
		return index < 0 ? [] : [{
			index,
			from: match.index,
			to: match.index + match[0].length
		}];
	});
}
const wrapped$1 = /^[([{<]{1,3}\s?([a-z])(?:\s?[)\]}>]{1,3}|\s?$)/i;
const bare = /^([a-z])(?:(\s?[)\]}>.:,;!])|(?=$|[^\p{L}\p{N}'’#+&^%=\\-]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]))/iu;
const argument = /^(\s?)[([{]([^()[\]{}]*)[)\]}]?(.?)/;
const operator$1 = /^\s?[=<>≈≤≥≠≡∈∝→+*/|^_'′·×]/;
/** Whether a letter with what follows it begins a formula. The text of an option may stand in the bracket. */
function beginsFormula(rest, option) {
	const own = comparableText(option);
	const isText = (text) => own !== "" && comparableText(text).startsWith(own);
	const [whole, space, inside = ""] = argument.exec(rest) ?? [];
	if (whole === void 0) return operator$1.test(rest) && !isText(rest.replace(operator$1, ""));
	if (operator$1.test(rest.slice(whole.length - 1))) return true;
	return space === "" && !isText(inside) && !/\p{L}{3}/u.test(inside);
}
/** Returns the letter with which a text begins: `B`, `(B)`, `b)`, `[B]`, `option B`, `B because …`. */
function leadingLetter(plain, options) {
	const prefix = says.leadIn.exec(plain)?.[0] ?? "";
	const text = plain.slice(prefix.length);
	const inMarks = wrapped$1.exec(text);
	const match = inMarks ?? bare.exec(text);
	const index = indexOfLetter(match?.[1] ?? "", options);
	if (!match?.[1] || index < 0) return void 0;
	const rest = text.slice(match[0].replace(/[.:,;!]$/, "").length);
	if (!inMarks && match[2] === void 0 && beginsFormula(rest, options[index] ?? "")) return void 0;
	const isNamed = /(?:option|choice|letter|alternative|variant)(?: is)?:? $/i.test(prefix);
	const isMarked = inMarks !== null || match[2] !== void 0 || isNamed || rest.trim() === "";
	const isLetter = says.letterReason.test(rest) || /[B-HJ-Z]/.test(match[1]) && !/^\s\p{Ll}/u.test(rest);
	return {
		index,
		rest,
		isSure: isMarked || isLetter
	};
}
/** Returns the option whose letter a text is, with nothing else but marks: `B`, `(B).`, `[b]`. */
function onlyLetter(plain, options) {
	const found = leadingLetter(plain, options);
	return found && /^[\s).\]}>:,;!]*$/.test(found.rest) ? found.index : void 0;
}
// src/replies/answers/withdrawal.ts
const longestLine = 600;
const sentenceStart$1 = /(?<=[.!?;…]["')\]*_]{0,3}\s{1,3})(?=\S)|(?<=[。！？।])/u;
const others$2 = new RegExp(`^(?:[^,，、.!?]{1,12}[,，、]\\s?){0,2}(?:${languages$1.flatMap(({ withdraws = [] }) => withdraws).join("|")})`, "iu");
/**
* Returns the end of the words by which a text takes an answer back; undefined if it does not. `place`: the text follows the answer
* right behind, where `That is wrong` means it, or it is a later line.
*/
function takenBackAt(text, place) {
	let at = 0;
	for (const sentence of text.slice(0, longestLine).split(sentenceStart$1)) {
		const found = says.withdrawn.exec(sentence) ?? others$2.exec(sentence) ?? (at === 0 || place === "behind" ? says.doubted.exec(sentence) : null) ?? (at === 0 && place === "behind" ? says.rejected.exec(sentence) : null);
		if (found) return at + found[0].length;
		at += sentence.length;
	}
}
/** Returns a text in which an answer is called what it is: `42 is wrong` behind the answer 42 says `my answer is wrong`. */
function namingAnswer(text, answer) {
	const own = /^[([]?([A-Z])(?:[)\].:,]|$)/.exec(answer)?.[1] ?? answer.replace(/[.!]$/, "");
	if (own === "" || own.length > longestNamed || !text.includes(own)) return text;
	const literal = own.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
	const named = new RegExp(`(?<![\\p{L}\\p{N}.,])(?:(?:option|choice|answer) )?[([*]{0,3}${literal}[)\\]*]{0,3}(?![\\p{L}\\p{N}])`, "giu");
	return text.replace(named, "my answer");
}
const longestNamed = 40;
const nearby$1 = 20;
/** Whether the line of an answer, the line behind it, or one that repeats the answer takes it back. */
function isTakenBack(lines, at, { text, end = at }) {
	const line = lines[end];
	const from = line.lastIndexOf(text.slice(0, 60));
	if (from >= 0 && says.deniedBehind.test(line.slice(from, from + 120))) return true;
	let next = end + 1;
	while (next < lines.length && isBareMarks(lines[next])) next++;
	return lines.slice(next, next + nearby$1).some((line, i) => takenBackAt(namingAnswer(line, text), i === 0 ? "behind" : "later") !== void 0);
}
// src/replies/answers/option-claims.ts
/**
* Returns the index of the option that a reference names: by its letter (`B`, `(B)`), by its text, or by both (`B. Lyon`). Letters win
* over texts. Case and marks count only if options differ by nothing else (`true`, `True`). Undefined for no option.
*/
function matchOption(text, options) {
	return wholeOption(text, options) ?? claimByLetter(plainText(text), options)?.index;
}
function wholeOption(text, options) {
	const letter = onlyLetter(plainText(text), options);
	if (letter !== void 0) return letter;
	const same = options.findIndex((option) => option.trim() === text.trim());
	return same !== -1 ? same : optionByText(comparableText(text), options);
}
/** Whether a text begins as a reason does. */
const isReason = (text) => /^\s{0,9}(?:because|since|as|due to)\b/i.test(text);
/** Returns the options with which a text begins, as a line of a list of options does. */
function optionsBegun(text, options) {
	const letter = leadingLetter(plainText(text), options);
	return letter?.isSure ? [letter.index] : optionAtStart(comparableText(text), options)?.indexes ?? [];
}
/** Returns the indexes of all options that a text names, by letter or text. */
const optionsNamed = (text, options) => [...new Set([
	...letterMentions(plainText(text), options, "sure"),
	...letterMentions(plainText(text), options, "perhaps"),
	...textMentions(comparableText(text), options)
].map(({ index }) => index))];
const othersThan = (index, text, options) => optionsNamed(text, options).filter((other) => other !== index);
function claimByLetter(plain, options) {
	const letter = leadingLetter(plain, options);
	if (!letter) return void 0;
	const { index, rest, isSure } = letter;
	const behind = rest.replace(/^[\s)\]}>.,:;–—-]+/, "");
	const own = optionAtStart(behind.toLowerCase(), options);
	if (own?.indexes.includes(index)) return { index: isKept(behind.slice(own.length), index, options) ? index : void 0 };
	if (!isSure) return void 0;
	const isSentence = /^\s?[.!]/.test(rest) && /^\s\p{L}/u.test(behind.slice(own?.length));
	if (optionAtStart(comparableText(plain), options) || own && !isSentence) return { index: void 0 };
	if (rest.startsWith(":") && !isReason(rest.slice(1)) && letterMentions(rest, options, "sure").some((named) => named.index !== index)) return { index: void 0 };
	return { index: !says.letterDenied.test(rest.replace(says.unchosen, "")) && isKept(rest, index, options) ? index : void 0 };
}
/** Claims the option with whose text a text begins, if a mark or a reason follows and no other option. */
function claimByText(text, options) {
	const comparable = comparableText(text);
	const begun = optionAtStart(comparable, options);
	if (!begun) return void 0;
	const [index, ...equals] = begun.indexes;
	if (index === void 0 || equals.length > 0) return { index: void 0 };
	const plain = plainText(text);
	const rest = (plain.toLowerCase().startsWith(comparable.slice(0, begun.length)) ? plain : comparable).slice(begun.length);
	return { index: /^\s*(?:[^\p{L}\p{N}\s/&+=*^%]|(?:because|since|as|due to|is|for)\b)/u.test(rest) && !says.letterDenied.test(rest) && isKept(rest, index, options) ? index : void 0 };
}
const longestRemark = 2e3;
/** Whether what follows an option keeps it: it does not take it back and chooses no other. A reason may name others. */
function isKept(rest, index, options) {
	const kept = rest.replace(says.unchosen, "");
	if (says.alternative.test(kept) || says.denied.test(rest) || isOther(rest, index, options)) return false;
	const [first = "", ...later] = clausesOf(kept.slice(0, longestRemark));
	return (says.reason.test(first) && !says.corrected.test(first) && !affirmsOther(first, index, options) || othersThan(index, first, options).length === 0) && later.every((clause) => isComment(clause, index, options));
}
const clausesOf = (text) => text.split(/(?<=[.!?;]|^\s*[.!;:)])\s+(?=[("“]?\p{Lu})/u);
/** Whether a remark gives the text of another option: `C, which is Lyon`. */
function isOther(rest, index, options) {
	const said = /^[\s.,;:()–—-]*(?:(?:it|which|that|this|the (?:correct |right )?answer)(?:['’]s| is| was| means)|for|i\.e\.?,?)\s(?:the )?(.{1,200})/i.exec(rest)?.[1];
	const begun = said === void 0 ? void 0 : optionAtStart(comparableText(said), options);
	return begun !== void 0 && !begun.indexes.includes(index);
}
/** A capital that stands for itself: no article, and no pronoun. */
const standing$1 = /(?<![\p{L}\p{N}'’])([A-Z])(?![\p{L}\p{N}'’]|(?<=[AI]) \p{Ll})/gu;
/** Whether a clause behind the chosen option neither takes it back nor chooses another: what it says of others is a remark. */
function isComment(clause, index, options) {
	if (says.retracted.test(clause) || takenBackAt(clause, "behind") !== void 0) return false;
	if (says.deniesAll.test(clause)) return true;
	const letters = [...clause.matchAll(standing$1)].map(([, letter = ""]) => indexOfLetter(letter, options));
	if ([...othersThan(index, clause, options), ...letters.filter((other) => other >= 0 && other !== index)].length === 0) return true;
	if (wholeOption(clause, options) !== void 0) return false;
	if (says.corrected.test(clause) || says.affirms.test(clause) || says.comesTo.test(clause)) return false;
	return !affirmsOther(clause, index, options);
}
function affirmsOther(text, index, options) {
	return [...text.matchAll(/(?<![\p{L}\p{N}'’])([A-Z])(?![\p{L}\p{N}'’])/gu)].some((match) => {
		const other = indexOfLetter(match[0], options);
		if (other < 0 || other === index) return false;
		const [before, behind] = [text.slice(Math.max(0, match.index - 60), match.index), text.slice(match.index + 1)];
		if (says.affirmed.test(behind.slice(0, 80))) return true;
		return /^[)\]]?\s*(?:$|[.,;!])|^[)\]]? (?:is|was|fits) /.test(behind) && says.concluded.test(before) && (!says.blamed.test(text) || /^[)\]]?\s*[.!]?$/.test(behind));
	});
}
// src/replies/answers/number-context.ts
/** What words and marks beside a number say of it. */
const numberPhrases = phrasesIn("numbers");
const phrases = numberPhrases;
const fill = (sources, [open, close]) => sources.map((source) => {
	const filled = fillParts(source, {
		number: numberWord,
		negation: phrases.negations
	});
	return new RegExp(`${open}(?:${filled})${close}`, "iu");
});
const beforeNumber = fill(phrases.before, ["(?<!\\S)", "$"]);
const behindNumber = fill(phrases.behind, ["", ""]);
const excludes = new RegExp(`(?<!\\S)(?:${phrases.excludes})(?: \\S+){0,3}$`, "iu");
const negation = new RegExp(`^(?:${phrases.negations})$`, "iu");
const neutral = new RegExp(`^(?:${phrases.neutral})$`, "iu");
/** Whether a word leaves a number what it is: `about`, `exactly`, `the`. */
const isNeutral = (text) => neutral.test(text);
/** A word of a plain text, as an expression: a name of LaTeX, too. */
const word = String.raw`\\?[\p{L}\p{M}][\p{L}\p{M}\d_]*(?:'\p{L}+)?`;
const words$1 = new RegExp(word, "gu");
const currencyBehind = new RegExp(`^ ?(?:${phrases.currency})`, "iu");
/** How far beside a number anything can matter; a bound on the time that is spent on each number. */
const reach = 120;
const leftOf = (text, at) => text.slice(Math.max(0, at - reach), at);
const rightOf = (text, at) => text.slice(at, at + reach);
/** Says why a number is no plain one, from what stands beside it: `stands beside "half of"`. */
const beside = (what) => `stands beside ${JSON.stringify(what.trim())}`;
/** Returns why what stands before a number makes it no plain number, as `stands beside "half of"`; undefined if it does not. */
function problemBefore(text, from) {
	const left = leftOf(text, from);
	const mark = marksBefore.map((form) => form.exec(left)).find((match) => match !== null);
	if (mark) return beside(mark[1] ?? mark[0]);
	const excluded = excludes.exec(wordsSinceMark(left).join(" "))?.[0];
	if (excluded !== void 0) return beside(excluded);
	const clause = clauseBefore(left);
	const found = beforeNumber.map((form) => form.exec(clause)).find((match) => match !== null)?.[0];
	if (found !== void 0 && !(/^x$/i.test(found) && /≈ ?$/.test(left))) return beside(found);
	const negated = (wordsBefore(left).slice(-5) ?? []).findLast((one) => negation.test(one));
	return negated === void 0 ? void 0 : beside(negated);
}
const operator = String.raw`[-+–×·/÷^√∛±∓|<>≤≥≠≡¬‾π∞∑∏∫{}]|\*+`;
const numerals = "一二三四五六七八九十百千万萬億亿兆两零〇";
const marksBefore = [
	new RegExp(`(?<!\\p{L})((?:${phrases.negations}): ?)$`, "iu"),
	/(\\[A-Za-z]+|(?<![\p{L}\d])[\p{Script=Latin}\p{Script=Greek}][\p{L}\p{M}\d_]*|_)$/u,
	new RegExp(`(\\S*(?:分之|[${numerals}][点點]?))$|(?<!\\p{L})([${numerals}]+) $`, "u"),
	/[)\]}]$|\^\{[^{}]*\}$|\^\S*$/,
	/(\d[\d.,]*[.…:,'_])$|\.\.$/,
	/(?:^|[^\p{L}\d_√])([\p{L}\d_√]+|-)\($/u,
	/!$|[!<>≠]= ?$/,
	/(?<![\p{L}.:)]{2} )– $|(?<=\d )– $/u,
	new RegExp(`(?!– $)(?:${operator}) ?$`, "u")
];
const clauseParts = new RegExp(`(${word})|[^ ~≈'([\\]$]`, "gu");
/** Returns the words between a number and the mark or number before it, in lower case. */
function wordsSinceMark(left) {
	let found = [];
	for (const [, one] of left.replace(/\([^()]*\)/g, "").matchAll(clauseParts)) if (one === void 0) found = [];
	else found.push(one.toLowerCase());
	return found;
}
/** Returns the words before a number in its clause: a mark, a number or a word such as `because` begins it. */
function wordsBefore(left) {
	const found = wordsSinceMark(left);
	const start = found.findLastIndex((one, i) => /^(?:so|because|since|if|while)$/.test(one) || one === "but" && found.slice(i + 1).some((other) => !isNeutral(other)));
	return found.slice(start + 1);
}
/** Returns the clause before a number, up to its last word that is not neutral. */
function clauseBefore(left) {
	const found = wordsBefore(left);
	const last = found.findLastIndex((one) => !isNeutral(one));
	return found.slice(0, last + 1).filter((one) => one !== "the" && one !== "a").join(" ");
}
const unitMarks = /^(?:[°'%‰]|\^[{(]? ?(?:th|st|nd|rd|o|°|')+ ?[})]?[CF]?)*/i;
/** Returns why what stands behind a number makes it no plain number, as `stands beside "or more"`; undefined if it does not. */
function problemBehind(text, to) {
	const whole = rightOf(text, to);
	const more = /\.\d+$/.test(leftOf(text, to)) ? /^(?:…|\.\.\.)|^[ (]{0,2}(?:repeating|recurring)\b/i.exec(whole)?.[0] : void 0;
	if (more !== void 0) return beside(more);
	const money = currencyBehind.exec(whole)?.[0].length ?? 0;
	const right = whole.slice(money + (unitMarks.exec(whole.slice(money))?.[0].length ?? 0));
	const touches = right.length === whole.length || !/ $/.test(whole.slice(0, whole.length - right.length));
	return markBehind(right) ?? unitProblem(right, touches) ?? clauseProblem(right);
}
const marksBehind = [
	/^\^\S*/,
	/^[!_‰]/,
	/^([:.…,~])(?:\.?\d|‾)/,
	/^\.\.(?=\.?\d)/,
	/^ ?!=/
];
function markBehind(right) {
	const mark = marksBehind.map((form) => form.exec(right)).find((match) => match !== null);
	if (mark) return beside(mark[1] ?? mark[0]);
	const bracket = bracketBehind(right);
	if (bracket !== void 0) return beside(bracket);
	const [whole = "", sign] = new RegExp(`^ ?(${operator})`, "u").exec(right) ?? [];
	if (sign === void 0) return void 0;
	const rest = right.slice(whole.length);
	const next = new RegExp(`^ ?(${word})`, "u").exec(rest)?.[1];
	const isWord = next !== void 0 && (!isVariable(next) || phrases.letterUnits.includes(next));
	if (isWord && sign === "/") return void 0;
	return /^[-–]$/.test(sign) && (isWord || rest.trim() === "") ? void 0 : beside(sign);
}
/**
* Returns the bracket behind a number that is multiplied by it, as in `3(x + 1)` and `3 [4 cos x - 1]`; undefined for a remark, such
* as `(1 hour)`, a unit (`[m/s]`) or none.
*/
function bracketBehind(right) {
	const [whole, open] = /^ ?([([])/.exec(right) ?? [];
	if (whole === void 0 || open === void 0) return void 0;
	const inside = insideOf(right.slice(whole.length));
	if (whole === "(" && !/^\p{L}{2}|^\.?\d[\d.,]* \p{L}/u.test(inside)) return open;
	const found = inside.match(words$1) ?? [];
	const isFunction = (one) => one.startsWith("\\") || functionName.test(one);
	if (/[=≈~]/.test(inside) || found.some((one) => /^\p{L}{3}/u.test(one) && !isFunction(one))) return void 0;
	const isVariableBeside = inside.trim().length > 1 && found.some((one) => /^\p{L}$/u.test(one) && !phrases.letterUnits.includes(one));
	return /(?<!\p{L})[+–·×]|(?<!\p{L})-|-(?!\p{L})/u.test(inside) || found.some(isFunction) || isVariableBeside ? open : void 0;
}
function insideOf(text) {
	let depth = 1;
	for (let at = 0; at < text.length; at++) {
		if (/[([]/.test(text[at])) depth++;
		if (/[)\]]/.test(text[at]) && --depth === 0) return text.slice(0, at);
	}
	return text;
}
const functionName = new RegExp(`^(?:${phrases.functions})$`);
const shortUnit = new RegExp(`^(?:${phrases.shortUnits})$`);
/** Whether a word is what a variable, a product of variables or a function is called. */
function isVariable(name) {
	if (/^\\|^[A-Z]\d+$|^[xXebo]\d|^[xX][\dA-Fa-f]+$/.test(name) || functionName.test(name) || name === "pi") return true;
	if (/^[\p{Script=Latin}\p{Script=Greek}]$/u.test(name)) return !phrases.letterUnits.includes(name);
	return /^(?:[abcijnpqrtuvwxyz]{2}|[xyz]{3})$/.test(name) && !shortUnit.test(name);
}
const unread = new RegExp(`^(?:(?:${phrases.unreadPart})$|[\\u0304\\u0305\\u0307\\u0332\\u0335-\\u0338])`, "iu");
const overline = /^[\u0304\u0305\u0307\u0332\u0335-\u0338]/;
const wordOf = new RegExp(`^ ?((?:${word})|\\p{M}+)`, "u");
function unitProblem(right, touches) {
	const [whole = "", unit] = wordOf.exec(right) ?? [];
	if (unit !== void 0) {
		const isTouching = touches && !whole.startsWith(" ");
		const next = /^ (\p{L}+)/u.exec(right.slice(whole.length))?.[1]?.toLowerCase() ?? "";
		if (isForeignMagnitude(unit, isTouching) || unread.test(unit) || overline.test(right)) return beside(unit);
		if (!(/^x$/i.test(unit) && /^(?:\p{L}{3,}er|as|more|less)$/u.test(next) || !isTouching && /^[aI]$/.test(unit) && next.length > 1) && isVariable(unit) && (isTouching || !/^[a-w]{2}$/.test(unit))) return beside(unit);
	}
	const [, minus, added = minus] = afterUnit.exec(right) ?? [];
	return added === void 0 ? void 0 : beside(added);
}
const afterUnit = new RegExp(`^(?: ?(?:${word})(?:\\^\\{?-?\\d\\}?)?){1,4} ?(?:([-–])(?= ?\\.?\\d)|([+×·√±<>≤≥≠÷]|\\*+))`, "u");
/** Returns the words behind a number up to the mark or number that ends their clause, in lower case; a number there is `#`. */
function clauseProblem(right) {
	const [clause = ""] = new RegExp(`^(?:(?:${word})|[ '°%$-])*(?:\\.?\\d)?`, "u").exec(right.split("\n", 1)[0]) ?? [];
	const text = (clause.match(new RegExp(`${word}|\\d`, "gu")) ?? []).join(" ").toLowerCase().replace(/\d$/, "#");
	const found = behindNumber.map((form) => form.exec(text)).find((match) => match !== null)?.[0];
	return found === void 0 ? void 0 : beside(found);
}
/** Whether the words of a remark say that the digits before it are in a base: `in binary`, `base 2`. */
const namesBase = (text) => behindNumber[1].test(text);
// src/replies/answers/found-numbers.ts
const [magnitudes, signs$1, money, parts] = [
	"magnitudes",
	"signs",
	"money",
	"parts"
].map((name) => valuesOf(numberPhrases[name]));
const startOfNumber = /(\.?\d)|\\?[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}][\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}\d_]*|\^(?:\{ ?[-+–]?[\p{L}\d.°']* ?\}|\(?[-+–]?[\p{L}\d.°']*\)?)/gu;
/** Returns all numbers of a plain text that are written with digits, in order. Takes time linear in the text. */
function findNumbers(text) {
	const found = [];
	startOfNumber.lastIndex = 0;
	for (let match = startOfNumber.exec(text); match; match = startOfNumber.exec(text)) {
		if (match[1] === void 0) continue;
		const { value, end } = readAmount(text, match.index);
		const number = completeNumber(text, {
			from: match.index,
			to: end,
			value
		});
		found.push(number);
		startOfNumber.lastIndex = number.to;
	}
	return found;
}
/**
* Reads what belongs to a number of which the amount is known: sign, currency, magnitude, percent and brackets of its own, as in
* `-(42)` and `(3) million`. Says if something beside it makes it no plain number.
*/
function completeNumber(text, amount) {
	let { from, to } = amount;
	let values = amount.value === void 0 ? [] : [amount.value];
	let problem;
	for (;;) {
		const lead = readLead(text, from);
		from = lead.from;
		if (values.length === 1) {
			const scaled = readScale(text, values[0], to, lead.isMoney);
			to = scaled.end;
			values = scaled.values;
			problem ??= scaled.problem;
		}
		if (lead.isNegative) values = values.map((value) => -value);
		problem ??= lead.problem;
		const bracket = "([".indexOf(text[from - 1] ?? " ");
		if (bracket === -1 || text[to] !== ")]"[bracket]) break;
		from--;
		to++;
	}
	const written = text.slice(amount.from, amount.to);
	if (values.length === 0) problem ??= "is no single number";
	else if (mayBePair(text, written, amount)) problem ??= "may be two numbers";
	else if (!values.every(Number.isFinite)) problem ??= "is no finite number";
	problem ??= problemBefore(text, from) ?? problemBehind(text, to);
	return {
		text: text.slice(from, to),
		values,
		from,
		to,
		...problem === void 0 ? {} : { problem }
	};
}
/** Whether a number with a decimal comma may be a pair or a list: it stands in brackets (`(2,74)`) or behind `are`. */
const mayBePair = (text, written, { from, to }) => isDecimalComma(written) && (/(?:[([|]|\b(?:are|were)) ?$/i.test(text.slice(Math.max(0, from - 8), from)) || /^ ?[)\]|]/.test(text.slice(to, to + 2)));
const currencyBefore = new RegExp(`(?<!\\d)(?<! \\d)(?:us ?)?(?:${numberPhrases.currency}) ?$`, "iu");
const signBefore = /(?<sign>[-–+]|(?<![\p{L}])(?:minus|negative)) ?$/iu;
/** Reads signs and currency before a number: `-$5`, `US$ 5`, `minus 5`. */
function readLead(text, start) {
	const lead = {
		from: start,
		isNegative: false,
		isMoney: false
	};
	for (let turn = 0; turn < 3 && lead.problem === void 0; turn++) {
		const left = leftOf(text, lead.from);
		const currency = lead.isMoney ? null : currencyBefore.exec(left);
		if (currency) {
			lead.from -= currency[0].length;
			lead.isMoney = true;
			continue;
		}
		const sign = signBefore.exec(left);
		if (!sign || !readSign(left.slice(0, sign.index), sign[0], lead, start)) break;
	}
	return lead;
}
const neverBeforeSign = /[)\]%!}°'"π]$|\d$|\^\S*$/u;
/** Takes a sign that joins the number with nothing before it. A dash in prose has spaces. `x minus 42` is a calculation. */
function readSign(before, written, lead, start) {
	const sign = written.trim().toLowerCase();
	const isSpaced = written.endsWith(" ");
	const rest = before.trimEnd();
	const last = /[\p{L}\p{M}\\][\p{L}\p{M}\d_\\]*$/u.exec(rest)?.[0];
	if (sign.length > 1) {
		if (/\d$/.test(rest) || last !== void 0 && sign === "minus" && !/^(?:is|are|equals|be|answer|to|result|total)$/i.test(last) || lead.isNegative) {
			lead.problem = beside(sign);
			return false;
		}
	} else {
		if (lead.isNegative || lead.from < start && isSpaced || neverBeforeSign.test(rest)) return false;
		if (last === void 0 ? isSpaced && sign === "–" : !isProse(before, last, sign, isSpaced)) return false;
	}
	lead.isNegative = sign !== "+";
	lead.from -= written.length;
	return true;
}
const isProse = (before, last, sign, isSpaced) => before.endsWith(" ") && !isSpaced && [...last].length > 1 && !last.startsWith("\\") && (sign !== "+" || /^(?:is|are|was|were|be|equals?)$/i.test(last));
const wordBehind = new RegExp(`^(?: +|-)?(${word})`, "u");
const half = /^ and a (half|quarter)\b/i;
const percent = /^(?: +|-)?(?:%|percent\b|pct\b|per cent\b)/i;
/** Reads magnitudes (`million`, `k`), parts (`tenths`), `and a half` and percent behind a number. */
function readScale(text, value, start, isMoney) {
	const letter = readLetter(text, start, isMoney);
	if (letter?.problem !== void 0) return {
		values: [value],
		...letter
	};
	let [scaled, end] = letter ? [multiply$1(value, letter.factor), letter.end] : [value, start];
	for (;;) {
		const [whole = "", next = ""] = wordBehind.exec(text.slice(end, end + 40)) ?? [];
		const factor = magnitudeOf(next.toLowerCase());
		if (factor === void 0) break;
		scaled = multiply$1(scaled, factor);
		end += whole.length;
	}
	const [whole = "", next = ""] = /^(?: +|-)(\p{L}+)(?!-)(?!\p{L})/u.exec(text.slice(end, end + 40)) ?? [];
	const divisor = parts.get(next.toLowerCase());
	const more = half.exec(text.slice(end, end + 20));
	if (divisor !== void 0 && (scaled === 1 || /s$/i.test(next))) [scaled, end] = [scaled / divisor, end + whole.length];
	else if (more && Number.isSafeInteger(scaled)) [scaled, end] = [scaled + (more[1] === "half" ? .5 : .25), end + more[0].length];
	const sign = percent.exec(text.slice(end, end + 20))?.[0];
	if (sign === void 0) return {
		values: [scaled],
		end
	};
	const values = [scaled, scaled / 100];
	end += sign.length;
	return text[end] === "%" ? {
		values,
		end: end + 1,
		problem: "\"%%\" is no unit"
	} : {
		values,
		end
	};
}
function magnitudeOf(next) {
	const written = unitOfSign.test(next) ? void 0 : /^[百千万萬億亿兆백천만억조]+/.exec(next)?.[0];
	if (written === void 0) return magnitudes.get(next);
	return [...written].reduce((product, sign) => product * signs$1.get(sign), 1);
}
const multiply$1 = (value, factor) => /^10*$/.test(String(factor)) ? shiftValue(value, Math.round(Math.log10(factor))) : value * factor;
/** Reads a letter of magnitude. A capital right behind a number is one; lower-case letters may be units, unless it is money. */
function readLetter(text, start, isMoney) {
	const [whole = "", written = ""] = new RegExp(`^ ?(${word})`, "u").exec(text.slice(start, start + 40)) ?? [];
	const end = start + whole.length;
	const inDoubt = (unit) => ({
		factor: 1,
		end,
		problem: `${JSON.stringify(written)} may be a magnitude${unit}`
	});
	if (/^(?:mil|bil|tril)$/i.test(written)) return inDoubt("");
	const factor = money.get(written.toLowerCase());
	if (factor === void 0) return void 0;
	if (isMoney || currencyBehind.test(text.slice(end, end + 12))) return {
		factor,
		end
	};
	if (written === "k" || !whole.startsWith(" ") && /^[KMB]$/.test(written)) return {
		factor,
		end
	};
	return /^(?:[KMBTb]|MM)$/.test(written) ? inDoubt(" or a unit") : void 0;
}
// src/replies/answers/number-remarks.ts
/** Returns the remarks of a text: brackets behind a space and behind the first number, with a word in them, or `=` before the rest. */
function findRemarks(text, first) {
	const remarks = [];
	let open;
	let depth = 0;
	for (let at = first.to; at < text.length && depth >= 0; at++) if (/[([]/.test(text[at])) {
		if (depth++ === 0) open = at;
	} else if (/[)\]]/.test(text[at]) && --depth === 0 && open !== void 0) {
		const remark = {
			from: open,
			to: at + 1,
			text: text.slice(open + 1, at)
		};
		if (isRemark(text, remark)) remarks.push(remark);
		open = void 0;
	}
	return remarks;
}
function isRemark(text, { from, to, text: inside }) {
	if (text[from - 1] !== " " || /^\s?[=+\-–×·*/÷^|<>≤≥≠{}]/.test(text.slice(to, to + 2))) return false;
	return !/\^|\\|(?<![\p{L}\d\\'])[b-zB-Z](?![\p{L}\d'])|[√π]/u.test(inside) && (/\p{L}{2}|[≈~]/u.test(inside) || inside.startsWith("="));
}
const scaled = new RegExp(`(?<!\\p{L})(?:${Object.values(numberPhrases.magnitudes).join(" ").split(" ").join("|")}|minus|negative)(?!\\p{L})`, "iu");
/** Whether a remark leaves the number in doubt: it names another (`or 43`), or changes it (`in thousands`, `base 2`). */
const isDoubt = (remark) => /^\W*(?:or|maybe|perhaps|possibly|alternatively|either|and|plus|minus)\b/i.test(remark) || !/\d/.test(remark) && scaled.test(remark) || /^\p{L}/u.test(remark) && namesBase((remark.match(/\p{L}+|\d+/gu) ?? []).join(" ").toLowerCase().replace(/\d+/g, "#"));
// src/replies/answers/passing-number.ts
const sentenceStart = /^[\s\S]*(?:[.!?;。！？](?=[\s\p{L}])|\n)\s*/u;
const leading = /^[^\p{L}\d]*(?:(?:\p{L}+ ?){1,6}[:：=–—] ?)?[^\p{L}\d]*$/u;
const concludes$1 = new RegExp(`^[^\\p{L}]*(?:${numberPhrases.concludes})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`, "iu");
const states$1 = new RegExp(`(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])(?:${numberPhrases.states})[^\\p{L}\\d]*$`, "iu");
const passing = new RegExp(numberPhrases.passing, "iu");
const adverbial = new RegExp(`(?<!\\p{L})(?:${numberPhrases.adverbial})(?: the| a)?[^\\p{L}\\d]*$`, "iu");
const counted = /^[^\p{L}\d.,;:!?]{0,3}\p{L}/u;
const subject = /\p{L}+[^\p{L}]+\p{L}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u;
/**
* Whether a plain text that announces nothing names a number only in passing, as `maybe ask in room 42` does. A value with its unit, what
* a label, a relation (`isRelated`) or `so` announces, and a statement such as `Tom has 42 apples` is an answer.
*/
function isInPassing(text, { from, to, text: written }, isRelated) {
	const before = leftOf(text, from).replace(sentenceStart, "");
	const behind = text.slice(to, to + 200);
	const sentence = before + (/^[^.!?]*[.!?]?/.exec(behind)?.[0] ?? "");
	if (/[?？]\s*$/.test(sentence)) return true;
	if (isRelated || leading.test(before) || concludes$1.test(before) || states$1.test(before)) return false;
	return !(counted.test(behind) || /[\p{Sc}%]/u.test(written)) || !subject.test(before) || adverbial.test(before) || passing.test(sentence);
}
// src/replies/answers/plain-number-text.ts
const latex = phrasesIn("latex");
const wrappers = new Set(latex.wrappers);
const fractions = new Set(latex.fractions);
/**
* Returns a text with one spelling of each mark that numbers are written with: `9{,}500` is `9,500`, `\frac{3}{4}` and `¾` are `3/4`,
* `\text{cm}` is ` cm `, `³` is `^{3}`, `30^\circ` is `30°`. Markup is a space. Takes time linear in the text.
*/
const plainNumberText = (text) => plainMarkup(plainLatex(plainMarks(text)));
const signs = [
	[/[‐‑−﹣]/g, "-"],
	[/‒/g, "–"],
	[/[‘’ʼ′]/g, "'"],
	[/[⁄∕]/g, "/"],
	[/[✕✖⨯]/g, "×"],
	[/[⋅∙]/g, "·"],
	[/∗/g, "*"],
	[/٫/g, "."],
	[/[٬、]/g, ","],
	[/٪/g, "%"],
	[/[=-]>/g, "→"]
];
function plainMarks(text) {
	const plain = text.replace(/[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/g, "").replace(/[^\S\n]/g, " ").replace(/[\uFF01-\uFF5E]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 65248)).replace(/(?![0-9])\p{Nd}/gu, digitOf).replace(/[\u00BC-\u00BE\u2150-\u215E\u2189]/g, (mark, at, whole) => {
		return `${/\d/.test(whole[at - 1] ?? "") ? " " : ""}${mark.normalize("NFKC").replace("⁄", "/")}`;
	}).replace(/[⁻⁺]?[⁰¹²³⁴-⁹]+/g, (marks) => `^{${marks.normalize("NFKC").replace("−", "-")}}`).replace(/[₀-₉]+/g, (marks) => `_${marks.normalize("NFKC")}`);
	return signs.reduce((made, [from, to]) => made.replace(from, to), plain);
}
/** Returns a digit of any script as an ASCII digit. Unicode keeps the ten digits of a script together, zero first. */
function digitOf(digit) {
	const code = digit.codePointAt(0);
	let zero = code;
	while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
	return String((code - zero) % 10);
}
/** A star or underscore that joins two things (`3*4`, `2 ** 3`, `1_000`) stays; emphasis, ticks, quotes and tags become spaces. */
function plainMarkup(text) {
	return text.replace(/<sup>/gi, "^").replace(/<\/?[a-z][a-z0-9]{0,20} ?\/?>/gi, " ").replace(/[`"“”«»„]/g, " ").replace(/\*+|_+/g, (marks, at, whole) => {
		const [before, after] = [whole[at - 1] ?? "\n", whole[at + marks.length] ?? "\n"];
		return /[\p{L}\p{N})}]/u.test(before) && /[\p{L}\p{N}({\\]/u.test(after) || marks.startsWith("*") && before === " " && after === " " ? marks : " ";
	});
}
function plainLatex(text) {
	if (!/[\\{}$]/.test(text)) return text;
	return replaceCommands(withoutMathDollars(text.replaceAll("{,}", ",").replace(/(?<=\d),(?: ?\\[!,;:])+ ?(?=\d{3}(?!\d))/g, ",").replace(/(?<=\d)~(?=\d{3}(?!\d)(?:~\d{3}){0,6}(?: ?(?:\$|\\[)\]])))/g, " "))).replace(/(\d?)\( ?(-?) ?([\d.,]+) ?\)\/\( ?([\d.,]+) ?\)/g, (_, digit, sign, above, below) => `${digit}${digit === "" ? "" : " "}${sign}${above}/${below}`);
}
/** Removes the dollars around math, by Pandoc's rule; a dollar of money stays. */
function withoutMathDollars(text) {
	const gone = /* @__PURE__ */ new Set();
	let open;
	for (const { 0: mark, index } of text.matchAll(/\\[\s\S]|\$\$|\$/g)) if (mark === "$$") gone.add(index).add(index + 1);
	else if (mark !== "$") continue;
	else if (open !== void 0 && /\S/.test(text[index - 1]) && !/\d/.test(text[index + 1] ?? "")) {
		gone.add(open).add(index);
		open = void 0;
	} else open = /\S/.test(text[index + 1] ?? " ") ? index : void 0;
	return gone.size === 0 ? text : text.replace(/\$/g, (_, at) => gone.has(at) ? " " : "$");
}
const closerOf = (argument, isPower) => argument === "above" ? ")/(" : argument === "below" ? ")" : isPower ? "}" : argument === "wrapped" ? " " : "";
/** Walks through a text once. Each open brace has on the stack what its closing brace becomes. */
function replaceCommands(text) {
	const parts = [];
	const closers = [];
	let next;
	const close = (closer) => {
		parts.push(closer);
		if (closer === ")/(") next = "below";
	};
	for (const [part = "", command, escaped] of text.matchAll(/\\([A-Za-z]+)[ ]?|\\([\s\S])|[\s\S]/g)) if (part === "{") {
		const isPower = /[\^_]$/.test(parts.at(-1) ?? "");
		if (next === "above") parts.push("(");
		closers.push(closerOf(next, isPower));
		parts.push(isPower ? "{" : next === "wrapped" ? " " : "");
		next = void 0;
	} else if (part === "}") close(closers.pop() ?? "");
	else if (command !== void 0) {
		if (fractions.has(command)) next = "above";
		else if (wrappers.has(command)) next = "wrapped";
		else parts.push(latex.symbols[command] ?? ` ${part.trim()} `);
	} else if (escaped !== void 0) parts.push(latex.escapes[escaped] ?? escaped);
	else if (next === "above" || next === "below") {
		if (part === " ") continue;
		parts.push(next === "above" ? `(${part}` : part);
		const closer = closerOf(next, false);
		next = void 0;
		close(closer);
	} else {
		next = void 0;
		parts.push(part);
	}
	if (next === "below" || closers.includes(")/(")) parts.push(")/");
	return parts.join("");
}
// src/replies/answers/pick-number.ts
/** A longer text explains more than one number. */
const longestAnswer = 2e3;
/**
* Returns the number that an answer gives. Of an announced answer the first clause counts, if it gives a number and nothing behind it
* corrects it; what follows may repeat numbers of the question. With the question, a sentence that repeats its numbers gives the other.
*/
function pickNumber(text, isAnnounced = true, question = "") {
	const picked = pickStated(text, isAnnounced);
	return "number" in picked || question === "" ? picked : pickUnasked(text, question) ?? picked;
}
const offersTwo = /[?]|\b(?:or|nor|not|no|either|neither|maybe|perhaps|instead|rather|than|between|from|wait|actually)\b|n['’]t\b/i;
/** Returns the only number of a sentence that its question does not hold: `6 pages a day in 4 days`, where the question has the 4. */
function pickUnasked(text, question) {
	if (text.length > longestSentence$1 || offersTwo.test(text) || (text.match(/\p{L}{2,}/gu) ?? []).length < fewestWords) return void 0;
	const asked = findNumbers(plainNumberText(question.slice(-5e3))).flatMap(({ values }) => values);
	const [only, ...others] = findNumbers(plainNumberText(text)).filter(({ values }) => !values.some((value) => asked.includes(value)));
	return only && only.problem === void 0 && others.length === 0 ? { number: only } : void 0;
}
const longestSentence$1 = 300;
const fewestWords = 5;
function pickStated(text, isAnnounced) {
	if (text.length > longestAnswer) return { problem: `is longer than ${longestAnswer} characters` };
	if (!isAnnounced) return pickUnannounced(text);
	const [claim, rest] = splitClaim(text);
	const picked = rest === "" ? void 0 : pickFrom(claim);
	if (picked === void 0 || "problem" in picked) return pickFrom(text);
	const withdrawal = takenBackAt(namingAnswer(rest, claim), "behind");
	if (withdrawal !== void 0) {
		const instead = rest.slice(withdrawal);
		return /\d/.test(instead) ? pickFrom(instead) : { problem: "is taken back" };
	}
	return corrects.test(rest) || says.comesTo.test(rest) || solelyGives.test(rest) || relationSign.test(claim) && relationSign.test(rest) ? pickFrom(text) : picked;
}
function pickUnannounced(text) {
	const picked = pickFrom(text);
	if ("problem" in picked) return picked;
	const plain = plainNumberText(text);
	return !findNumbers(plain).filter((one) => isEqual(one, picked.number)).some((one) => !isInPassing(plain, one, relationBefore(plain, one.from) !== void 0)) || takenBackAt(text, "later") !== void 0 ? { problem: "is not stated" } : picked;
}
/** Divides an answer into its first clause, up to a reason in it, and what follows. */
function splitClaim(text) {
	const end = /(?<!\\)[.!;][*_"')\]]{0,4}\s+(?=\S)|,?\s+(?:because|since)\s|,\s+(?:as|given)\s/.exec(text);
	const claim = text.slice(0, end?.index);
	const isWhole = claim.split("(").length === claim.split(")").length;
	return end === null || !isWhole ? [text, ""] : [claim, text.slice(end.index + end[0].length)];
}
const corrects = new RegExp(numberPhrases.corrects, "iu");
const relationSign = /[=≈→]|\\(?:approx|sim)/;
/** Behind an answer: a step that leads to its only number. */
const solelyGives = /^[^\d]*\b(?:gives|makes|yields|get)\s[$€£]?-?\d[\d,.]*\s?\p{L}*[.!]?$/iu;
function pickFrom(text) {
	const plain = plainNumberText(text);
	const all = findNumbers(plain);
	const first = all[0] ?? readSpelled(plain);
	if (first === void 0) return { problem: "holds no number" };
	const remarks = findRemarks(plain, first);
	const doubt = remarks.find((remark) => isDoubt(remark.text));
	if (doubt !== void 0) return { problem: `is in doubt by its remark ${JSON.stringify(doubt.text)}` };
	const spelled = all.length === 0 ? void 0 : readSpelledBeside(plain);
	if (spelled !== void 0 && all.some(({ values }) => Math.abs(values[0]) !== spelled.value)) return { problem: `names two numbers: ${spelled.text}, ${all.map(({ text }) => text).join(", ")}` };
	const numbers = all.filter(({ from }) => !remarks.some((remark) => remark.from < from && from < remark.to) && !(first.problem === void 0 && from > first.to && rejects.test(leftOf(plain, from))));
	return choose(plain, numbers.length === 0 ? [first] : numbers);
}
const rejects = new RegExp(`(?:${numberPhrases.rejects})[^\\p{L}\\d]{0,4}$`, "iu");
function choose(text, numbers) {
	const last = numbers.at(-1);
	const spoiled = numbers.find(({ problem }) => problem !== void 0);
	const equal = numbers.every((number) => isEqual(number, last));
	if (equal && spoiled === void 0) return { number: last };
	const stated = numbers.length > 1 ? statedNumber(text, numbers) : void 0;
	if (stated) return { number: stated };
	const problem = spoiled && `${JSON.stringify(spoiled.text)} ${spoiled.problem}`;
	if (problem !== void 0 && (equal || numbers.length === 1)) return { problem: `holds no plain number: ${problem}` };
	return { problem: `${nameNumbers(numbers)}${problem === void 0 ? "" : `; ${problem}`}` };
}
const isEqual = (one, other) => one.values.some((value) => other.values.includes(value));
function nameNumbers(numbers) {
	const texts = [...new Set(numbers.map(({ text }) => text))];
	const shown = `${texts.slice(0, 5).join(", ")}${texts.length > 5 ? ", …" : ""}`;
	return `names ${texts.length === 2 ? "two" : texts.length} numbers: ${shown}`;
}
const between = `(?:\\s|[:~([$€£]|(?<![\\p{L}'])(?:${numberPhrases.neutral})(?![\\p{L}']))*$`;
const relation = new RegExp(`([=≈→]|(?<![\\p{L}'])(?:${numberPhrases.relations})(?![\\p{L}']))${between}`, "iu");
/** Returns the relation that a number stands right behind, such as `=`, `is` or `total of`, and where it ends. */
function relationBefore(text, at) {
	const left = leftOf(text, at);
	const match = relation.exec(left);
	if (!match) return void 0;
	const from = at - left.length + match.index;
	return {
		text: match[1],
		from,
		to: from + match[1].length
	};
}
/**
* Returns the last of several numbers if it is what a text states: it stands right behind a relation, and the text names no other
* value. `x = 3 or x = 5` names two; `the remainder of 7 by 3 is 1` names one.
*/
function statedNumber(text, numbers) {
	const last = numbers.at(-1);
	const its = last.problem === void 0 ? relationBefore(text, last.from) : void 0;
	if (!its) return void 0;
	return numbers.every((number) => number === last || isEqual(number, last) || !isValue(text, number, its)) ? last : void 0;
}
/** Whether a number is another value that a text names beside the one behind a relation. */
function isValue(text, number, last) {
	const own = relationBefore(text, number.from);
	const beginsNext = new RegExp(`^\\s+${word}\\s?[=≈]`, "u").test(text.slice(number.to, number.to + 60));
	if (number.problem !== void 0 && !(own && beginsNext)) return false;
	const leads = (text.slice(0, number.from).match(words) ?? []).every(isNeutral);
	if (!own && !leads) return false;
	const between = text.slice(number.to, last.to);
	if (own?.text === "=" && /(?<!\p{L})(?:is|are|equals)(?!\p{L})/iu.test(between) && !/[,;.\n]|(?<!\p{L})(?:or|and)(?!\p{L})/iu.test(between)) return false;
	if (!/(?<!\p{L})(?:so|therefore|thus|hence|total|altogether|answer|result)(?!\p{L})|→/iu.test(text.slice(number.to, last.from)) || !own) return true;
	const [name, other] = [nameBefore(text, own.from), nameBefore(text, last.from)];
	return /(?:^|[^\d\p{L}])\p{L}$/u.test(name) || /^[=≈]$/.test(own.text) && lastWord(name) === lastWord(other);
}
const words = new RegExp(word, "gu");
const nameBefore = (text, at) => leftOf(text, at).replace(/ $/, "");
const lastWord = (text) => (/\S{1,40}$/.exec(text)?.[0] ?? "").toLowerCase();
const firstNumberWord = new RegExp(`(?<![\\p{L}'])(?:${numberWord})(?![\\p{L}'])`, "iu");
const article = /(?<![\p{L}'])an? (?=(?:dozen|hundred|thousand|million|billion|trillion)\b)/iu;
/** What may follow a spelled number, in words. In a longer text words such as `two` count other things. */
const longestUnit = 3;
/**
* Returns the number that a text without digits gives in English words: `forty-two`, `the answer is two hundred apples`. It must be
* the only one and stand at the beginning or right behind `is`, `=` or the like. Undefined otherwise.
*/
function readSpelled(text) {
	const [one, named] = [article, firstNumberWord].map((form) => form.exec(text));
	const isOne = one !== null && one !== void 0 && (!named || one.index < named.index);
	const start = (isOne ? one : named)?.index;
	if (start === void 0) return void 0;
	const counted = isOne ? {
		value: 1,
		end: start + (one[0].length - 1)
	} : readNumberWords(text, start);
	const [quarter] = /^[ -](?:quarters?|scores?|pairs?|couples?|brace)(?!\p{L})/iu.exec(text.slice(counted?.end, (counted?.end ?? 0) + 10)) ?? [];
	const isQuarter = quarter !== void 0 && /quarter/i.test(quarter);
	if (!counted || quarter !== void 0 && !(isQuarter && (counted.value === 1 || counted.value === 3))) return void 0;
	const { value, end } = isQuarter ? {
		value: counted.value / 4,
		end: counted.end + quarter.length
	} : counted;
	const behind = text.slice(end).match(words) ?? [];
	const most = value === 1 && !isOne ? 1 : longestUnit;
	if (behind.length > most || behind.some((one) => one === "of" || firstNumberWord.test(one))) return void 0;
	const number = completeNumber(text, {
		from: start,
		to: end,
		value
	});
	const isPlaced = leadsText(text, start) || relationBefore(text, number.from) !== void 0;
	return number.problem !== void 0 || isPlaced ? number : void 0;
}
/** Whether only words that leave a number what it is stand before a place. */
const leadsText = (text, at) => !/\d/.test(text.slice(0, at)) && (text.slice(0, at).match(words) ?? []).every((one) => isNeutral(one) || /^(?:minus|negative)$/i.test(one));
/**
* Returns the number in English words that a text with digits names beside them, at its beginning or right behind a relation, as in
* `forty-two (43)`; undefined for a word that counts a thing (`Two trains …`).
*/
function readSpelledBeside(text) {
	const start = firstNumberWord.exec(text)?.index;
	const spelled = start === void 0 ? void 0 : readNumberWords(text, start);
	if (start === void 0 || spelled === void 0) return void 0;
	const next = /^\s?(\p{L}+)/u.exec(text.slice(spelled.end))?.[1];
	if (next !== void 0 && !/^(?:or|and|to)$/i.test(next)) return void 0;
	if (!leadsText(text, start) && relationBefore(text, start) === void 0) return void 0;
	return {
		value: spelled.value,
		text: text.slice(start, spelled.end)
	};
}
// src/replies/bounded-match.ts
/** Timeout of one match; ms. The expressions of tasks take microseconds. */
const timeoutMs$1 = 2e3;
const program$1 = new Script("{ let last; for (const match of text.matchAll(new RegExp(source, flags))) last = [...match]; last }");
/**
* Returns the last match of a task's expression in a reply, with its groups; null if there is none, `too-long` after two seconds.
* Without the timeout, catastrophic backtracking would block the whole harness.
*/
function boundedMatch(text, source, flags) {
	const context = createContext({
		text,
		source,
		flags: `${flags.replace(/[gy]/g, "")}g`
	});
	try {
		return program$1.runInContext(context, { timeout: timeoutMs$1 }) ?? null;
	} catch (error) {
		if (error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return "too-long";
		throw error;
	}
}
// src/replies/scan-fences.ts
const fence = /^([ \t]*)((?:(?:[-*+•]|\d{1,9}[.)])[ \t]+)?)(`{3,64}|~{3,64})(?![`~])([^\n]*)$/;
const gluedFence = /(?<![`~])(`{3,64})([\w+#.-]*)[ \t]*$/;
const quoteMarks = /^[ \t]{0,3}(?:>[ \t]?)+/;
/** Reads a fence that begins a line, behind the marks of lists and quotes; undefined if there is none. */
function readFenceLine(line) {
	if (!line.includes("```") && !line.includes("~~~")) return void 0;
	const marks = quoteMarks.exec(line)?.[0] ?? "";
	const match = fence.exec(line.slice(marks.length));
	if (!match) return void 0;
	const [, spaces = "", marker = "", signs = "", rest = ""] = match;
	const sign = signs[0];
	if (sign === "`" && rest.includes("`")) return void 0;
	const indent = columnsOf(spaces + " ".repeat(marker.length));
	return {
		quotes: marks.split(">").length - 1,
		indent,
		marker: marker.trim(),
		sign,
		length: signs.length,
		info: rest.trim()
	};
}
/** Reads an opening fence that stands at the end of a line of prose, such as `Here it is: ```python`. */
function readGluedFence(line) {
	if (!line.includes("```")) return void 0;
	const end = line.trimEnd();
	const match = gluedFence.exec(end.slice(-100));
	if (!match) return void 0;
	const [whole, signs = "", info = ""] = match;
	const before = end.slice(0, end.length - whole.length).trimEnd();
	if (before === "" || before.includes("```")) return void 0;
	return (info === "" ? before.endsWith(":") : readInfo(info).isKnown) ? {
		quotes: 0,
		indent: 0,
		marker: "",
		sign: "`",
		length: signs.length,
		info
	} : void 0;
}
/** Returns a line without the marks of as many quotes; undefined if it has fewer. */
function withoutQuotes(line, quotes) {
	let rest = line;
	for (let i = 0; i < quotes; i++) {
		const match = /^[ \t]{0,3}> ?/.exec(rest);
		if (!match) return void 0;
		rest = rest.slice(match[0].length);
	}
	return rest;
}
/** Returns a line without its first columns of white space, at most as many as given. A tab reaches to the next fourth column. */
function withoutIndent(line, columns) {
	let column = 0;
	let at = 0;
	while (column < columns && (line[at] === " " || line[at] === "	")) {
		column = line[at] === "	" ? column + 4 - column % 4 : column + 1;
		at++;
	}
	return " ".repeat(Math.max(0, column - columns)) + line.slice(at);
}
/** Returns the columns of a line's white space at its begin. */
function columnsOf(line) {
	let column = 0;
	for (const sign of line) if (sign === " ") column++;
	else if (sign === "	") column += 4 - column % 4;
	else break;
	return column;
}
const languages = new Map(Object.entries({
	python: "python py python2 python3 py2 py3 ipython sage starlark",
	javascript: "javascript js node nodejs mjs cjs jsx ecmascript es6 javascriptreact",
	typescript: "typescript ts tsx mts cts typescriptreact",
	markdown: "markdown md mdx",
	output: "bash sh shell zsh fish console terminal powershell ps1 cmd bat batch shell-session sh-session shellsession doscon pycon output out stdout stderr result results text txt plain plaintext log none diff patch json json5 jsonl yaml yml toml ini csv xml html css sql mermaid latex tex math http dockerfile makefile",
	other: "c cpp c++ cc h hpp csharp c# cs java kotlin kt scala go golang rust rs ruby rb php perl pl lua r swift dart elixir haskell hs clojure julia jl matlab octave fortran pascal objective-c objc groovy vb fsharp f# ocaml erlang zig nim solidity assembly asm code vue svelte cython"
}).flatMap(([language, list]) => list.split(" ").map((name) => [name, language])));
const codeStart = /^(?:async\s+)?(?:def|function)\s+[\w$]+\s*\(|^class\s+\w+.*[:{]$|^(?:import|from)\s+[\w.]+(?:\s+import\b.*)?$|^(?:export\s+)?(?:const|let|var)\s+[\w$]+\s*=|^export\s+(?:async\s+)?(?:default\s+)?function\b|^return\s+\S/;
/** Reads an info string of any kind: `python`, `Python 3`, `{.python .numbered}`, `python title="a.py"`, `language-python`. */
function readInfo(info) {
	if (info === "") return {
		language: "none",
		isKnown: false,
		code: ""
	};
	const match = /^\{?[ \t]*\.?(?:(?:language|lang)-)?([\w+#-]+)/.exec(info);
	const name = match?.[1]?.toLowerCase() ?? "";
	const language = languages.get(name) ?? languages.get(name.replace(/\d+$/, ""));
	const rest = language === void 0 ? info : info.slice(match?.[0].length ?? 0).trim();
	const code = codeStart.test(rest) ? rest : "";
	return {
		language: language ?? (code === "" ? "other" : "none"),
		isKnown: language !== void 0,
		code
	};
}
/** Whether what stands behind a fence can be an info string, and not a stop token or prose behind a closing fence. */
const canBeInfo = (info) => info !== "" && (readInfo(info).isKnown || /^\{.*\}$|^[a-z][\w+#.:/-]*$/.test(info));
const heading$1 = /^[ \t]*(?:>[ \t]?)*(?:(?:[-*+•]|\d{1,9}[.)])[ \t]+)?(?:#{1,6}[ \t]+)?([*_`"']{0,6})(FILE|DELETE)([*_`"']{0,4}):(.*)$/;
/** Reads a heading, behind the marks of lists, quotes and headings; undefined for any other line. */
function readHeading(line) {
	if (!line.includes("FILE") && !line.includes("DELETE")) return void 0;
	const [, before = "", verb, , rest = ""] = heading$1.exec(line) ?? [];
	if (verb === void 0) return void 0;
	const written = withoutMarks(before.startsWith("_") ? rest.trim().replace(/_+$/, "") : rest);
	return written === "" ? void 0 : {
		verb,
		written
	};
}
const pairs = {
	"`": "`",
	"\"": "\"",
	"'": "'",
	"“": "”",
	"‘": "’",
	"<": ">"
};
/** Takes off emphasis, code ticks, quotes, a final colon and a remark, one after another until none is left. */
function withoutMarks(rest) {
	let path = rest.trim();
	for (let round = 0; round < 12; round++) {
		const before = path;
		path = path.replace(/^(?:\*{1,3}|_{2,3}(?!.*__))/, "").trim();
		path = withoutRemark(path.replace(/(?:\*{1,3}|(?<![\w_])_{2,3}|:)$/, "").trim());
		const close = pairs[path[0] ?? ""];
		if (close !== void 0 && path.length > 1 && path.endsWith(close)) path = path.slice(1, -1).trim();
		else path = withoutLoneMark(path);
		if (path === before) return path;
	}
	return path;
}
/** Takes off a code tick or a quote on one side of a path, whose partner was left out. */
function withoutLoneMark(path) {
	for (const mark of ["`", "\""]) {
		if (path.startsWith(mark) && path.lastIndexOf(mark) === 0) return path.slice(1).trim();
		if (path.endsWith(mark) && path.indexOf(mark) === path.length - 1) return path.slice(0, -1).trim();
	}
	return path;
}
const longestHeading = 400;
const change = "(?:new|added|created|updated|modified|changed|edited|rewritten)";
/** What may stand before or behind a path. */
const remarks = [
	/^(?:path|file|filename|name)[ \t]*:[ \t]+(?=\S)/i,
	/^(?:\d{1,3}[.)]|\(\d{1,3}\)|#\d{1,3}:?)[ \t]+(?=\S+$)/,
	new RegExp(`[ \\t]+\\((?:${change}(?: file)?|unchanged)\\)$`, "i"),
	/(?<=^\S+)[ \t]+(?:#|\/\/)[ \t].*$/,
	new RegExp(`(?<=^\\S+)[ \\t]+[-–—][ \\t](?:a )?${change}(?: file)?$`, "i")
];
const link = /^\[([^\]]+)\]\((?:\.\/)?([^)]+)\)$/;
const dashed = /(?<=^(?:\S*\.\w{1,10}[`"*]{0,3}|\S+[`"*]))[ \t]+[-–—→][ \t].*$/;
/** Takes off `path:`, a number, a link to the path itself, and a remark behind the path: `(new)`, `# text`, `- text`. */
function withoutRemark(path) {
	if (path.length > longestHeading) return path;
	const [, text, target] = link.exec(path) ?? [];
	if (text !== void 0 && text.replaceAll("`", "") === target) return target;
	const plain = remarks.reduce((rest, remark) => rest.replace(remark, ""), path);
	return /[ \t][-–—→][ \t]+\S*\.\w{1,10}[`"*]*$/.test(plain) ? plain : plain.replace(dashed, "");
}
// src/replies/scan-pairs.ts
/** Ends a block at the fence of a line. */
const closedAt = (line) => ({
	end: line,
	next: line + 1,
	isClosed: true
});
/** Returns the line of a `FILE:` heading that stands directly before a line; undefined if there is none. */
function headingBefore(rows, open, at) {
	let before = at - 1;
	while (before > open && rows[before]?.text.trim() === "") before--;
	return before > open && readHeading(rows[before]?.text ?? "")?.verb === "FILE" ? before : void 0;
}
/**
* Ends a file whose blocks come in pairs at the last fence before the next file, or before thoughts, that leaves only pairs before it
* and behind it; unclear if none does, though one stands where it could. Undefined if none could.
*/
function endByPairs(scan, open, limit, fence) {
	const thought = scan.nextThought[open + 1];
	const before = thought < limit ? endBefore(scan, open, thought, fence) : void 0;
	return before?.isClosed ? before : endBefore(scan, open, limit, fence);
}
function endBefore(scan, open, limit, fence) {
	const { rows, fences, nextFence, wrapped } = scan;
	const inner = [];
	let at = nextFence[open + 1];
	for (; at < limit; at = nextFence[at + 1]) {
		const found = fences[at];
		if (found.quotes !== fence.quotes || found.indent >= fence.indent + 4) continue;
		if (found.sign === fence.sign && found.length < fence.length) continue;
		if (headingBefore(rows, open, at) !== void 0) break;
		const isBare = !canBeInfo(found.info);
		const [above, below] = [at - 1, at + 1].map((line) => (rows[line]?.text ?? "").trim());
		inner.push({
			...found,
			at,
			opens: !isBare || above === "" || below !== "",
			closes: isBare && found.marker === ""
		});
	}
	if (at >= limit) for (let i = 0; i < wrapped.length && inner.at(-1)?.info === ""; i++) inner.pop();
	const { last, isDoubtful } = lastClosing(inner, fence);
	if (last !== void 0) return closedAt(last);
	const end = headingBefore(rows, open, at) ?? limit;
	return isDoubtful ? {
		end,
		next: end,
		isClosed: false,
		isUnclear: true
	} : void 0;
}
/** Finds the last fence that may close a block, and whether any fence could if it stood alone. Takes linear time. */
function lastClosing(inner, outer) {
	/** For each fence, the one that closes its block, and whether all from it on come in pairs; the last block may be left open. */
	const closing = [];
	const pairsUp = [];
	pairsUp[inner.length] = true;
	const closeOf = (i) => closing[i] ?? (inner[i]?.sign === outer.sign ? void 0 : i);
	for (let i = inner.length - 1; i >= 0; i--) {
		const fence = inner[i];
		const fits = ({ sign, length }) => sign === fence.sign && length >= fence.length;
		let at = i + 1;
		for (let next = inner[at]; next && !(next.closes && fits(next)); next = inner[at]) {
			const behind = fits(next) ? isBare(fence) ? void 0 : closing[at] : at;
			at = behind === void 0 ? inner.length : behind + 1;
		}
		if (at < inner.length && fence.opens) closing[i] = at;
		const close = closeOf(i);
		pairsUp[i] = close === void 0 ? !isBare(fence) : pairsUp[close + 1] === true;
	}
	let last;
	let isDoubtful = false;
	for (let i = 0; i !== void 0 && i < inner.length;) {
		const fence = inner[i];
		if (fence.sign === outer.sign && fence.closes) {
			isDoubtful = true;
			if (pairsUp[i + 1]) last = fence.at;
		}
		const close = closeOf(i);
		i = close === void 0 ? void 0 : close + 1;
	}
	return {
		last,
		isDoubtful
	};
}
const isBare = ({ info }) => !canBeInfo(info);
/** Returns the first line from one on that is not blank. */
function skipBlank(rows, from) {
	let at = from;
	while (at < rows.length && rows[at]?.text.trim() === "") at++;
	return at;
}
// src/replies/scan-ends.ts
const markdownFile = /\.(?:md|mdx|mdc|markdown|qmd|rmd)(?:\.\w+)?$|(?:^|\/)(?:readme|changelog|contributing)$/i;
const codeFile = /\.(?:py|[cm]?[jt]sx?|java|kt|go|rs|rb|php|cs|c|cc|cpp|h|hpp|css|html?|json)$/i;
/** Whether a block holds blocks of its own, as texts do; code does not, outside of its strings. */
const holdsBlocks = ({ info }, owner) => readInfo(info).language === "markdown" || owner !== void 0 && !codeFile.test(owner.written);
/** Finds where a block ends that is opened on a line. Only lines with a fence are looked at. */
function findEnd(scan, open, fence, owner) {
	const { rows, fences, nextFence } = scan;
	const isText = holdsBlocks(fence, owner);
	const limit = fence.quotes === 0 ? rows.length : scan.nextPlain[open + 1];
	const strings = followStrings(scan, open, fence);
	const late = [];
	let depth = 0;
	let short;
	const unclosed = (end) => short === void 0 ? cutShort(rows, open, end, fence, late) : closedAt(short);
	if (owner && (readInfo(fence.info).language === "markdown" || markdownFile.test(owner.written))) {
		const paired = endByPairs(scan, open, limit, fence);
		if (paired) return paired;
	}
	for (let at = nextFence[open + 1]; at < limit; at = nextFence[at + 1]) {
		const found = fences[at];
		if (found.sign !== fence.sign || found.quotes !== fence.quotes || !isText && found.marker === "*") continue;
		if (found.length < fence.length) {
			if (!isText && /^[.,;:!]$/.test(found.info)) short ??= at;
			continue;
		}
		if (found.indent >= fence.indent + 4) {
			if (found.info === "") late.push(at);
			continue;
		}
		const string = isText ? void 0 : strings(at);
		if (string?.behind !== void 0 && string.behind < limit) {
			at = string.behind - 1;
			continue;
		}
		const isOpening = canBeInfo(found.info);
		const named = isOpening || depth === 0 ? headingBefore(rows, open, at) : void 0;
		if (named !== void 0 && (isOpening || opensBehindHeading(scan, at, limit, owner !== void 0 && !isText))) return unclosed(named);
		if (isText && isOpening) depth++;
		else if (depth > 0) depth--;
		else if (!isOpening) return closedAt(found.info === "" ? at : short ?? at);
		else if (short !== void 0 || !string) {
			const paired = owner && short === void 0 ? endByPairs(scan, open, limit, fence) : void 0;
			return paired?.isClosed ? paired : unclosed(at);
		}
	}
	return unclosed(limit);
}
/**
* Whether a fence without an info string behind a `FILE:` line, within an open block, opens that file's block. If no
* fence closes that block in turn, it closes the open one, whose content ends in such a line, unless that one is a file of code.
*/
function opensBehindHeading({ rows, fences, nextFence }, at, limit, isCodeFile) {
	const next = nextFence[at + 1];
	if (next < limit && fences[next]?.info === "") return true;
	return isCodeFile && skipBlank(rows, at + 1) < limit;
}
/** Ends a block that nothing closes by the rules: at a fence that is indented too far or stands behind code, else at the limit. */
function cutShort(rows, open, limit, { sign, length, indent }, late) {
	if (late.length % 2 === 1) return closedAt(late.at(-1));
	const signs = sign.repeat(length);
	for (let at = open + 1; at < limit; at++) {
		const line = rows[at]?.text.trimEnd() ?? "";
		if (!line.endsWith(signs) || line.indexOf(signs) !== line.length - length || line.trim().length === length) continue;
		const last = withoutIndent(line, indent).slice(0, -length).trimEnd();
		return {
			end: at,
			next: at + 1,
			isClosed: true,
			last
		};
	}
	const isBlank = (at) => rows[at]?.text.trim() === "";
	let end = limit;
	while (end > open + 1 && (isBlank(end - 1) || readHeading(rows[end - 1]?.text ?? "")?.verb === "DELETE")) end--;
	while (end < limit && isBlank(end)) end++;
	return {
		end,
		next: end,
		isClosed: false
	};
}
/**
* Returns what tells of a line whether a long string of the code is open before it, and the line behind that string if its fences
* belong to it: the string ends, each file block that begins in it ends in it, and the next fence closes the code with no string open.
* Lines must be asked for in order.
*/
function followStrings({ rows, fences, nextFence }, open, fence) {
	let next = open + 1;
	let quotes;
	let known = {
		end: -1,
		behind: void 0
	};
	const closes = (at) => fences[at]?.sign === fence.sign && (fences[at]?.length ?? 0) >= fence.length;
	const holdsFences = (at, end) => {
		const close = nextFence[end + 1];
		if (close < rows.length && (!closes(close) || fences[close]?.info !== "")) return false;
		if (headingBefore(rows, end, close) !== void 0) return false;
		let after = quotes;
		for (let i = end; i < close; i++) after = quotesBehind(rows[i]?.text ?? "", after);
		let isOpen = false;
		for (let i = at; i < end; i = nextFence[i + 1]) if (closes(i)) isOpen = !isOpen && headingBefore(rows, open, i) !== void 0;
		return after === void 0 && !isOpen;
	};
	return (at) => {
		for (; next < at; next++) quotes = quotesBehind(rows[next]?.text ?? "", quotes);
		if (quotes === void 0) return void 0;
		if (known.end < at) {
			let end = at;
			while (end < rows.length && !rows[end]?.text.includes(quotes)) end++;
			known = {
				end,
				behind: end < rows.length && holdsFences(at, end) ? end + 1 : void 0
			};
		}
		return known;
	};
}
/** Returns the quotes of the long string that is open behind a line. */
function quotesBehind(line, before) {
	let open = before;
	for (const [quotes] of line.matchAll(/"""|'''/g)) open = open === void 0 ? quotes : open === quotes ? void 0 : open;
	return open;
}
// src/replies/scan-regions.ts
/** Returns the regions outside of thoughts in order, with those within a fence around them between two strays. */
function partsOf$1(regions) {
	return regions.flatMap((region) => {
		if (region.kind === "thoughts") return [];
		if (region.kind !== "wrapper") return [region];
		const { firstLine, endLine, isClosed } = region;
		const stray = {
			...region,
			kind: "stray",
			children: []
		};
		const close = {
			...stray,
			firstLine: endLine - 1
		};
		return [
			{
				...stray,
				endLine: firstLine + 1
			},
			...partsOf$1(region.children),
			...isClosed ? [close] : []
		];
	});
}
const listItem$1 = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+\S/;
const heading = /^ {0,3}#{1,6}[ \t]+\S/;
const tableRow$1 = /^[ \t]*\|.*\|[ \t]*$/;
function kindOf(text, before) {
	if (/^[ \t]{0,3}>/.test(text)) return "quote";
	if (tableRow$1.test(text)) return "table";
	if (heading.test(text)) return "heading";
	if (listItem$1.test(text) || before === "list" && /^[ \t]{2,}\S/.test(text)) return "list";
	return "prose";
}
/** Returns the place from one line to another. */
const placeOf$1 = (first, last) => ({
	start: first.start,
	end: last.start + last.text.length,
	firstLine: first.number,
	endLine: last.number + 1,
	children: []
});
/** Divides lines between the blocks of a reply into paragraphs, lists, tables, quotes and headings. An empty line ends each. */
function scanLines(lines) {
	const runs = [];
	let before;
	for (const line of lines) {
		const kind = line.text.trim() === "" ? void 0 : kindOf(line.text, before);
		const run = kind === before && kind !== "heading" ? runs.at(-1) : void 0;
		if (run) run.last = line;
		else if (kind) runs.push({
			kind,
			first: line,
			last: line
		});
		before = kind;
	}
	return runs.map(({ kind, first, last }) => ({
		...placeOf$1(first, last),
		kind
	}));
}
// src/replies/scan-blocks.ts
/** Divides the lines of text behind the last region. */
function flush(scan) {
	for (const region of scanLines(scan.pending)) scan.regions.push(region);
	scan.pending = [];
}
/** Takes what begins on a line and is no text: a block, a heading of a file, a call of a tool; returns the line behind it. */
function readBlocks(scan, at) {
	const { rows, fences, wrapped } = scan;
	const text = rows[at]?.text ?? "";
	const owner = readHeading(text);
	if (owner) {
		const open = owner.verb === "FILE" ? skipBlank(rows, at + 1) : rows.length;
		const fence = fences[open];
		if (fence) return takeBlock(scan, {
			begin: at,
			open,
			fence,
			owner,
			isOwnedWithin: false
		});
		return take(scan, at, at + 1, (place) => ({
			...place,
			kind: "file",
			heading: owner
		}));
	}
	const fence = fences[at] ?? readGluedFence(text);
	if (!fence) return takeCall(scan, at);
	const around = wrapped.at(-1)?.fence;
	if (around && fence.info === "" && fence.sign === around.sign && fence.length >= around.length) {
		flush(scan);
		closeWrapper(scan, at + 1, true);
		return at + 1;
	}
	const first = skipBlank(rows, at + 1);
	const within = readHeading(rows[first]?.text ?? "");
	if (isWrapper(scan, at, fence, within && first)) {
		flush(scan);
		wrapped.push({
			fence,
			at,
			index: scan.regions.length
		});
		return at + 1;
	}
	if (within?.verb === "FILE" && first < scan.nextFence[at + 1]) return takeBlock(scan, {
		begin: at,
		open: first,
		fence,
		owner: within,
		isOwnedWithin: true
	});
	return takeBlock(scan, {
		begin: at,
		open: at,
		fence,
		owner: void 0,
		isOwnedWithin: false
	});
}
/** Most fences around one another that stand around blocks. What reads the regions calls itself for each. */
const deepest$1 = 50;
/** Whether a fence stands around other blocks: a `FILE:` line with a fence comes first in it, or it is Markdown with blocks. */
function isWrapper({ rows, fences, nextFence, wrapped }, at, fence, heading) {
	const next = nextFence[at + 1];
	const inner = fences[next];
	if (!inner || inner.length > fence.length || wrapped.length === deepest$1) return false;
	if (heading !== void 0 && skipBlank(rows, heading + 1) === next) return inner.info !== "" || fences[nextFence[next + 1]]?.info === "";
	return readInfo(fence.info).language === "markdown" && inner.info !== "";
}
/** Closes the last fence around other blocks: the regions since then are within it. */
function closeWrapper({ rows, regions, wrapped }, next, isClosed) {
	const { at, index } = wrapped.pop();
	const children = regions.splice(index);
	regions.push({
		...placeOfRows(rows, at, next),
		kind: "wrapper",
		isClosed,
		children
	});
}
/** Ends the fences around other blocks that nothing closes. */
function closeWrappers(scan) {
	while (scan.wrapped.length > 0) closeWrapper(scan, scan.rows.length, false);
}
const placeOfRows = (rows, begin, next) => placeOf$1(rows[begin], rows[Math.max(begin, next - 1)]);
function take(scan, begin, next, make) {
	flush(scan);
	scan.regions.push(make(placeOfRows(scan.rows, begin, next)));
	return next;
}
const callTag = /^[ \t]*<(tool_calls?|function_calls?)>/;
/** Takes the call of a tool that begins on a line, if it ends. */
function takeCall(scan, at) {
	const { rows } = scan;
	const tag = callTag.exec(rows[at]?.text ?? "")?.[1];
	if (tag === void 0) return void 0;
	const isCall = (line) => callTag.test(rows[line]?.text ?? "");
	for (let end = at; end < rows.length && (end === at || !isCall(end)); end++) if (rows[end]?.text.includes(`</${tag}>`)) return take(scan, at, end + 1, (place) => ({
		...place,
		kind: "call"
	}));
}
function takeBlock(scan, opening) {
	const { begin, open, fence, owner, isOwnedWithin } = opening;
	const { end, next, isClosed, last, isUnclear = false } = findEnd(scan, open, fence, owner);
	const ended = endedThoughts(scan, opening, next);
	if (ended !== void 0) return take(scan, begin, ended, (place) => ({
		...place,
		kind: "stray"
	}));
	const content = contentOf(scan.rows, open, end, fence);
	if (last !== void 0) content.push(last);
	if (!isClosed) while (content.at(-1)?.trim() === "") content.pop();
	if (isOwnedWithin && content.every((line) => line.trim() === "")) return takeBlock(scan, {
		...opening,
		open: begin,
		owner: void 0,
		isOwnedWithin: false
	});
	const { code } = readInfo(fence.info);
	if (code !== "") content.unshift(code);
	if (!owner && !isClosed && fence.info === "" && content.every((line) => line.trim() === "")) return take(scan, begin, open + 1, (place) => ({
		...place,
		kind: "stray"
	}));
	const info = code === "" ? fence.info : fence.info.slice(0, fence.info.length - code.length).trim();
	const text = content.map((line) => `${line}\n`).join("");
	return take(scan, begin, next, (place) => {
		return {
			...place,
			kind: "fence",
			info,
			content: text,
			isClosed,
			isUnclear,
			owner,
			isOwnedWithin
		};
	});
}
function contentOf(rows, open, end, { quotes, indent }) {
	const lines = [];
	for (let at = open + 1; at < end; at++) {
		const { text, number } = rows[at];
		if (at > open + 1 && number === rows[at - 1]?.number) lines.push(`${lines.pop()}${text}`);
		else lines.push(withoutQuotes(text, quotes) ?? text);
	}
	if (indent === 0) return lines;
	const columns = Math.min(indent, columnsOf(lines.find((line) => line.trim() !== "") ?? ""));
	return lines.map((line) => withoutIndent(line, columns));
}
/**
* Returns the line of a mark within a block that ends thoughts, which left the block open: no fence ends the block behind the mark, or
* the fences behind it come in pairs. Any other mark within a block is text.
*/
function endedThoughts(scan, { open, fence }, next) {
	const { rows, fences, nextFence, marks } = scan;
	const end = rows[next]?.start ?? Number.POSITIVE_INFINITY;
	const isText = readInfo(fence.info).language === "markdown";
	let depth = 0;
	let at = open;
	let ending = open;
	for (let i = scan.next; (marks[i]?.start ?? end) < end; i++) {
		const mark = marks[i];
		while ((rows[at + 1]?.start ?? Number.POSITIVE_INFINITY) <= mark.start) at++;
		if (at <= open) continue;
		if (mark.opens || depth > 0) {
			depth += mark.opens ? 1 : -1;
			continue;
		}
		const behind = nextFence[at + 1];
		ending = Math.max(ending, behind);
		while (fences[ending] && !(fences[ending]?.sign === fence.sign && (fences[ending]?.length ?? 0) >= fence.length)) ending = nextFence[ending + 1];
		const isAlone = mark.beginsLine && mark.endsLine || mark.touchesFence;
		const isAtEdge = isAlone || mark.beginsLine || mark.endsLine && behind < rows.length;
		if (isText ? isAlone && scan.fencesFrom[behind] % 2 === 0 : isAtEdge && (fences[ending]?.info !== "" || scan.pairsUp[ending] === 1)) return at;
	}
}
// src/text/escape-reg-exp.ts
/** Returns the source of a regular expression that matches a text as it is, with every flag. Not for use within `[…]`. */
function escapeRegExp(text) {
	return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
// src/replies/scan-thoughts.ts
/** Names of tags whose content is thoughts. */
const tagNames = "think|thinking|thoughts?|reasoning|reflection|scratchpad|seed:think";
const knownMarks = new Map(Object.entries({
	magistral: ["[THINK]", "[/THINK]"],
	kimi: ["◁think▷", "◁/think▷"],
	cohere: ["<|START_THINKING|>", "<|END_THINKING|>"],
	openthinker: ["<|begin_of_thought|>", "<|end_of_thought|>"],
	medgemma: ["<unused94>thought", "<unused95>"],
	gemma: ["<|channel>thought", "<channel|>"]
}).flatMap(([name, marks]) => marks.map((mark, i) => [mark.toLowerCase(), {
	name,
	opens: i === 0
}])));
const anyMark = new RegExp(`<(/?)(${tagNames})(?:\\s[^<>\\n]{0,200})?>|${[...knownMarks.keys()].map(escapeRegExp).join("|")}`, "gi");
/** Finds the marks of thoughts in a text, in order. Those in quotes or in a span of code are left out. */
function findThoughtMarks(text) {
	const marks = [];
	for (const { 0: written, 1: slash, 2: tag = "", index: start } of text.matchAll(anyMark)) {
		const own = knownMarks.get(written.toLowerCase());
		if (own === void 0 && written.endsWith("/>")) continue;
		const { name, opens } = own ?? {
			name: tag.toLowerCase(),
			opens: slash === ""
		};
		const end = start + written.length;
		const place = placeOf(text, start, end, opens);
		if (place) marks.push({
			name,
			opens,
			start,
			end,
			...place,
			closing: void 0
		});
	}
	const next = /* @__PURE__ */ new Map();
	let nearest;
	for (const mark of marks.toReversed()) if (mark.opens) mark.closing = next.get(mark.name) ?? nearest;
	else {
		next.set(mark.name, mark);
		nearest = mark;
	}
	return marks;
}
/** How far a line is looked at on each side of a mark. */
const longestLook = 500;
/** Returns how a mark stands on its line; undefined in quotes and in a span of code, as in `text.split('</think>')`. */
function placeOf(text, start, end, opens) {
	const lead = text.slice(Math.max(0, start - longestLook), start).split("\n").at(-1);
	const rest = text.slice(end, end + longestLook).split("\n", 1)[0];
	const before = lead.replace(/(?:`{3,}|~{3,})[ \t]*$/, "");
	const after = rest.replace(/^[ \t]*(?:`{3,}[^`]*|~{3,}.*)$/, "");
	if (before.trim() !== "" && before !== lead && /^[ \t]*`{3}/.test(rest)) return void 0;
	if (isQuoted(before, after) || isOpen("`", before) && after.includes("`")) return void 0;
	const [beginsLine, endsLine] = [before.trim() === "", after.trim() === ""];
	const touchesFence = before !== lead || after !== rest;
	const isBetween = /[.!?…:;)\]}*]\s*$/u.test(before) || !opens && /^(?:[\p{L}\p{N}\\$*#]|\s?[{[]|\()/u.test(after);
	return {
		beginsLine,
		endsLine,
		touchesFence,
		stands: beginsLine || endsLine || touchesFence || isBetween
	};
}
/** Whether a quotation is open before a mark and ends right behind it, or begins right before it. One that ends before it is another. */
function isQuoted(before, after) {
	const [left = "", right = ""] = [before.at(-1), after.at(0)];
	if (/[“‘]/.test(left) || /[”’]/.test(right)) return true;
	const quotes = [left, right].filter((sign) => /[`'"]/.test(sign));
	return quotes.length === 2 || quotes.some((sign) => isOpen(sign, before));
}
const isOpen = (quote, before) => before.split(quote).length % 2 === 0;
/** Says whether a mark belongs to data or to code without a fence of an answer that begins at `from`: then it is text. In order. */
function createQuoteReader(text, marks) {
	const values = marks.length === 0 ? [] : findValues(text);
	const isInCode = createCodeReader(text);
	let next = 0;
	return (mark, from) => {
		while ((values[next]?.end ?? Number.POSITIVE_INFINITY) <= mark.start) next++;
		const value = values[next];
		return isInCode(mark, from) || value !== void 0 && value.start >= from && value.start < mark.start;
	};
}
const valueStart = /[{[](?=\s{0,50}["'{[])/g;
const token = /"(?:[^"\\]|\\[\s\S])*"(?=\s{0,200}[,:}\]])|[{}[\]"]/g;
/** How many beginnings without an end are looked at. */
const mostVain = 20;
/** Finds the values of JSON in a text, whose strings may hold line ends. */
function findValues(text) {
	const values = [];
	valueStart.lastIndex = 0;
	for (let vain = 0; vain < mostVain;) {
		const start = valueStart.exec(text)?.index;
		if (start === void 0) break;
		let depth = 0;
		let end;
		token.lastIndex = start;
		for (let found = token.exec(text); found && end === void 0; found = token.exec(text)) if (found[0] === "\"") break;
		else if (found[0] === "{" || found[0] === "[") depth++;
		else if (!found[0].startsWith("\"") && --depth === 0) end = token.lastIndex;
		if (end === void 0) vain++;
		else {
			values.push({
				start,
				end
			});
			valueStart.lastIndex = end;
		}
	}
	return values;
}
/** First words of a line of code, with which prose hardly begins. */
const codeLine = /\s*(?:(?:def|async def|class|import|function|async function|const|export) [\w$*{]|"""|'''|#!|\/\/|\/\*|@\w)/y;
const comment = /^[ \t]*(?:#|\/\/|\/?\*)/;
/** What begins and ends a string of several lines; a fence is none. */
const longQuote = /"""|'''|(?<!`)`(?!`)/g;
/** Returns what says whether a mark is in a comment or a long string of code without a fence. */
function createCodeReader(text) {
	let begin = -1;
	let at = 0;
	let isCode = false;
	let open;
	return ({ start }, from) => {
		if (from !== begin) {
			begin = from;
			at = from;
			open = void 0;
			codeLine.lastIndex = from;
			isCode = codeLine.test(text);
		}
		if (!isCode) return false;
		for (const [quote] of text.slice(at, start).matchAll(longQuote)) if (open === void 0) open = quote;
		else if (open === quote) open = void 0;
		at = start;
		const line = text.slice(Math.max(from, start - longestLook), start).split("\n").at(-1);
		return open !== void 0 || comment.test(line);
	};
}
// src/replies/scan.ts
/**
* Divides a reply into its regions, in linear time. Fences are found by CommonMark's rules and beyond them as a person reads: a block
* that is never closed ends at the next `FILE:` line with a fence, at the next opening fence, or at the end. Marks of thoughts within
* a block, data or code are text; what stands within thoughts is a part of them.
*/
function scanReply(text) {
	const marks = findThoughtMarks(text);
	const scan = {
		...readRows(text, marks),
		text,
		from: 0,
		last: 0,
		open: 0
	};
	const { rows, fences } = scan;
	const isQuoted = createQuoteReader(text, marks);
	for (let at = 0; at < rows.length;) {
		const row = rows[at];
		while ((marks[scan.next]?.start ?? row.start) < row.start) scan.next++;
		const mark = marks[scan.next];
		if (mark && !fences[at] && mark.start < row.start + row.text.length) {
			scan.next++;
			if (isRead(scan, mark) && !isQuoted(mark, scan.from)) at = cutThoughts(scan, at, mark);
			continue;
		}
		const next = readBlocks(scan, at);
		if (next === void 0) scan.pending.push(row);
		at = next ?? at + 1;
	}
	flush(scan);
	closeWrappers(scan);
	return {
		text,
		lines: text.split("\n"),
		regions: scan.regions
	};
}
/** Whether a mark is one, as it stands on its line. One that opens thoughts to the end begins its line. */
const isRead = ({ open }, { opens, stands, beginsLine, closing }) => opens ? closing ? stands : beginsLine : stands || open > 0;
/** Takes the thoughts that a mark on a line begins or ends; returns the line that goes on behind them. */
function cutThoughts(scan, at, mark) {
	const { text, rows, fences, regions, marks } = scan;
	const row = rows[at];
	scan.pending.push({
		...row,
		text: text.slice(row.start, mark.start)
	});
	flush(scan);
	let { start, number: firstLine } = mark.opens ? {
		...row,
		start: mark.start
	} : {
		start: 0,
		number: 0
	};
	const end = mark.opens ? mark.closing?.end ?? text.length : mark.end;
	if (mark.opens) {
		scan.last = regions.length;
		scan.open = 0;
		for (; (marks[scan.next]?.end ?? end + 1) <= end; scan.next++) if (marks[scan.next]?.opens && marks[scan.next]?.name === mark.name) scan.open++;
	} else {
		if (scan.open === 0) scan.last = 0;
		const first = regions.splice(scan.last)[0];
		if (scan.open > 0 && first) ({start, firstLine} = first);
		scan.open = Math.max(0, scan.open - 1);
	}
	scan.from = end;
	scan.wrapped.length = 0;
	let line = at;
	while (rows[line + 1] && rows[line + 1].start <= end) line++;
	const last = rows[line];
	regions.push({
		kind: "thoughts",
		start,
		end,
		firstLine,
		endLine: last.number + 1,
		children: []
	});
	const rest = last.text.slice(end - last.start);
	rows[line] = {
		...last,
		text: rest,
		start: end
	};
	fences[line] = readFenceLine(rest);
	return line;
}
/** Reads the lines of a text. A mark that touches a fence has a line of its own, so that the fence has one, too. */
function readRows(text, marks) {
	const rows = [];
	const thoughtful = /* @__PURE__ */ new Set();
	let start = 0;
	let next = 0;
	for (const [number, line] of text.split("\n").entries()) {
		const end = start + line.length;
		let from = start;
		for (let mark = marks[next]; mark && mark.end <= end; mark = marks[++next]) {
			for (const cut of mark.touchesFence ? [mark.start, mark.end] : []) {
				if (cut > from) rows.push({
					text: text.slice(from, cut),
					number,
					start: from
				});
				from = cut;
			}
			if (mark.opens && mark.beginsLine) thoughtful.add(rows.length - (mark.touchesFence ? 1 : 0));
		}
		if (from < end || from === start) rows.push({
			text: text.slice(from, end),
			number,
			start: from
		});
		start = end + 1;
	}
	const fences = rows.map((row) => readFenceLine(row.text));
	const nextFence = nextWhere(rows.length, (at) => fences[at] !== void 0);
	return {
		rows,
		fences,
		nextFence,
		nextPlain: nextWhere(rows.length, (at) => !/^[ \t]{0,3}>/.test(rows[at]?.text ?? "")),
		nextThought: nextWhere(rows.length, (at) => thoughtful.has(at)),
		...pairFences(fences, nextFence),
		marks,
		next: 0,
		regions: [],
		pending: [],
		wrapped: []
	};
}
/** Returns for each line the next one at or behind it of which something holds; their number if there is none. */
function nextWhere(count, holds) {
	const next = new Int32Array(count + 2).fill(count);
	for (let at = count - 1; at >= 0; at--) next[at] = holds(at) ? at : next[at + 1];
	return next;
}
/** Counts the fences from each line on, and says whether those from a fence on come in pairs. */
function pairFences(fences, next) {
	const fencesFrom = new Int32Array(fences.length + 2);
	const pairsUp = new Uint8Array(fences.length + 2);
	for (let at = fences.length - 1; at >= 0; at--) {
		fencesFrom[at] = fencesFrom[at + 1] + (fences[at] ? 1 : 0);
		const [close, behind] = [next[at + 1], next[next[at + 1] + 1]];
		pairsUp[at] = fences[close]?.info === "" && (behind >= fences.length || pairsUp[behind] === 1) ? 1 : 0;
	}
	return {
		fencesFrom,
		pairsUp
	};
}
// src/replies/answers/announcement.ts
const others$1 = languages$1.flatMap(({ answer = [] }) => answer).join("|");
const [isWord, isSign] = [languages$1.flatMap(({ is = [] }) => is), languages$1.map(({ isBehind = "" }) => isBehind)].map((words, i) => words.join(i === 0 ? "|" : ""));
const closing = "[\"'’”*_`)}\\]]{0,6}";
const wordStart = "(?<![\\p{L}\\p{N}])";
const sources = {
	dashed: forms$2.dashed,
	label: `${wordStart}(?:${forms$2.label}|(?:${others$1})${closing}\\s{0,3}[:：])`,
	sentence: `${wordStart}(?:${forms$2.sentence}|(?:${others$1})(?:\\s(?:${isWord})(?![\\p{L}])|\\s?[${isSign}]))`,
	tag: forms$2.tag,
	option: wordStart + forms$2.option
};
const expressionOf = (names) => new RegExp(names.map((name) => `(?<${name}>${sources[name]})`).join("|"), "giu");
const announcement = expressionOf([
	"dashed",
	"label",
	"sentence",
	"tag"
]);
const optionAnnouncement = expressionOf([
	"dashed",
	"label",
	"sentence",
	"tag",
	"option"
]);
/** Whether a line can hold an announcement. It keeps most lines from the slower expressions. */
const canAnnounce = new RegExp(`answer|ans[*_: ：]|choice|option|letter|selection|statement|response|${others$1}`, "iu");
/** The first row whose form and facts fit ranks an announcement; without one it announces nothing. */
const ranks$1 = [
	[
		"tag",
		[],
		"plain"
	],
	[
		"any",
		["placeholder"],
		"none"
	],
	[
		"any",
		["reasoning"],
		"none"
	],
	[
		"sentence",
		["isOpen"],
		"none"
	],
	[
		"label",
		["mentioned"],
		"none"
	],
	[
		"label",
		["supposed"],
		"none"
	],
	[
		"label",
		["ofAnswer"],
		"plain"
	],
	[
		"label",
		[],
		"loose"
	],
	[
		"dashed",
		["heading"],
		"none"
	],
	[
		"dashed",
		["marked"],
		"plain"
	],
	[
		"dashed",
		["short"],
		"plain"
	],
	[
		"dashed",
		[],
		"weak"
	],
	[
		"any",
		["conditional"],
		"weak"
	],
	[
		"any",
		["supposed"],
		"none"
	],
	[
		"any",
		["negated"],
		"none"
	],
	[
		"any",
		["quality"],
		"none"
	],
	[
		"option",
		["namesOption", "stated"],
		"plain"
	],
	[
		"option",
		["namesOption"],
		"loose"
	],
	[
		"sentence",
		["pointer", "begins"],
		"plain"
	],
	[
		"sentence",
		["pointer"],
		"loose"
	],
	[
		"sentence",
		["marked", "stated"],
		"plain"
	],
	[
		"sentence",
		["marked"],
		"loose"
	],
	[
		"sentence",
		["short"],
		"loose"
	],
	[
		"sentence",
		[],
		"weak"
	]
];
/** Returns the last announcement of a line. Within code it must begin its line, because a program prints such words, too. */
function lastAnnouncement(line, inCode, ofOption) {
	if (!canAnnounce.test(line)) return void 0;
	const found = [...line.matchAll(ofOption ? optionAnnouncement : announcement)];
	let best;
	for (let i = found.length - 1; i >= 0 && best?.rank !== "plain"; i--) {
		const match = found[i];
		if ((/[^\s#/*>"'_-]/.test(line.slice(0, match.index)) || match[0].endsWith("=")) && inCode()) continue;
		const before = line.slice(Math.max(0, match.index - farBefore), match.index);
		const earlier = found[i - 1];
		const isSecond = earlier !== void 0 && alternative.test(before);
		const rest = line.slice(isSecond ? earlier.index + earlier[0].length : match.index + match[0].length);
		const rank = rankOf(match, before, rest);
		if (rank === void 0 || rank !== "plain" && best && (best.rank === "loose" || rank === "weak")) continue;
		best = {
			words: match[0],
			rest: cutTag(rest),
			start: match.index,
			rank
		};
	}
	return best;
}
const nearby = 80;
const farBefore = 200;
const alternative = /\b(?:and|or) (?:else )?(?:that )?(?:the )?(?:final |correct |right )?$/i;
function rankOf(match, before, rest) {
	const form = Object.keys(match.groups ?? {}).find((name) => match.groups?.[name] !== void 0);
	const told = whatIsTold(form, match[0], before, rest);
	const row = ranks$1.find(([ofForm, facts]) => (ofForm === "any" || ofForm === form) && facts.every((fact) => told[fact]()));
	return row === void 0 || row[2] === "none" ? void 0 : row[2];
}
/** The facts of an announcement, each looked up when a row asks for it. */
function whatIsTold(form, words, before, rest) {
	const plain = rest.slice(0, nearby).trimStart();
	const isShort = () => !says.remark.test(plain) && /^[^\s.!]{1,40}\s{0,3}[.!]?\s{0,3}(?:$|[A-Z(])/.test(plain);
	return {
		placeholder: () => says.placeholder.test(plain),
		reasoning: () => says.reasoning.test(plain),
		isOpen: () => /^[([{]$/.test(plain.trim()),
		mentioned: () => says.mentioned.test(before),
		supposed: () => (form !== "label" || plain !== "" && /\s/.test(words)) && says.supposed.test(before),
		ofAnswer: () => !/^ans/i.test(words) || says.labelled.test(before) || says.begins.test(before),
		heading: () => says.heading.test(plain),
		marked: () => isMarked(plain),
		short: isShort,
		conditional: () => form === "sentence" && /\bwould\b/i.test(words) && says.conditional.test(before),
		negated: () => /^not\b|^n['’]t\b/i.test(plain),
		quality: () => says.quality.test(plain),
		namesOption: () => isMarked(plain) || /^[A-Z](?![\p{L}\p{N}])/iu.test(plain),
		pointer: () => isPointer(rest),
		begins: () => says.begins.test(before),
		stated: () => isStated(words, before, rest)
	};
}
const longestPointer = 300;
/** Whether what follows an announcement only says that the answer stands below. */
const isPointer = (rest) => rest.length <= longestPointer && says.pointer.test(rest.trimStart());
const longestValue = 60;
/** Whether a sentence says what the answer is, and nothing else. */
function isStated(words, before, rest) {
	if (/\bwas\b|=/i.test(words) || /\b(?:would|should)\b/i.test(words) && rest.trim() !== "" || says.partial.test(words) || !says.begins.test(before)) return false;
	if (/^[\s*_"“$]{0,9}[([][A-Z][)\]]/.test(rest)) return !/\bif\b/.test(rest.slice(0, nearby));
	const end = /[.!;](?=[\s"'*_)]|$)/.exec(rest.slice(0, 140))?.index ?? rest.length;
	return end <= longestValue && !says.restricted.test(rest.slice(0, end));
}
/** Whether a text begins as an answer does: with a mark, a number, a capital letter, or nothing on its line. */
const isMarked = (text) => !says.remark.test(text) && (text === "" || /^(?:[^\p{L}]|\p{Lu})/u.test(text) || answerStart.test(text));
const answerStart = /^(?:yes|no|true|false|option|choice)\b|^(?:about|around|approximately|roughly|nearly|at (?:least|most)) [$€£]?\d/i;
function cutTag(rest) {
	const end = rest.search(/<\/(?:final[_ -]?)?answer>|\[\/answer\]/i);
	return end < 0 ? rest : rest.slice(0, end);
}
// src/replies/answers/picked-letter.ts
const letter = `(?:(?:the|die|la|el|le|a|o|option|choice|answer|letter|antwort|opción|opção|réponse|l['’]option|opzione|вариант|optie|antwoord|odpowiedź|opcję) ){0,2}[([*_"“]{0,3}[A-Z](?![\\p{Script=Latin}\\p{N}]|['’]s)[)\\]*_"”]{0,3}`;
const chosen = new RegExp(`(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{N}])(?:${choices.map((source) => fillParts(source, { letter })).join("|")})`, "giu");
const standing = /(?<![\p{Script=Latin}\p{N}])[A-Z](?![\p{Script=Latin}\p{N}])/gu;
/**
* Returns the last words of a line that choose an option by its letter, such as `I would pick B` or `所以选B`; what follows them begins with
* the letter in brackets. They announce less than `Answer: B` does.
*/
function pickedLetter(line, options, isLast) {
	const text = line.slice(-600);
	for (const match of [...text.matchAll(chosen)].reverse()) {
		const own = [...match[0].matchAll(standing)].at(-1);
		if (own === void 0 || indexOfLetter(own[0], options) < 0) continue;
		const at = match.index + own.index;
		const [before, behind] = [text.slice(0, match.index), text.slice(at + 1)];
		if (/^[AI]$/.test(own[0]) && /^ \p{Ll}/u.test(behind) && !says.letterReason.test(behind) || says.supposed.test(before) || supposes.test(before)) continue;
		const rest = `(${own[0]})${behind.replace(/^[)\]*_"”]{1,3}/, "")}`;
		return {
			words: match[0],
			rest,
			start: line.length - text.length + match.index,
			rank: isLast ? "loose" : "weak"
		};
	}
}
/** Before the words: they are not meant so. */
const supposes = /(?:^|[.!?;]\s)(?:but )?(?:if|unless|had|were)\b[^.!?;]*$|\b(?:not|never|at first|initially|tempted to)\W*$/i;
// src/replies/answers/find-answer.ts
/**
* Returns what the last announcement of a reply announces. A loose one, such as `for n = 3 the answer is 41`, counts only if no plain
* one stands before it; a weak one, such as `the answer is a long way off`, only if there is no other. The text is empty if the reply
* withdraws its answer. With options, the words `the correct choice is` announce, too.
*/
function announcedAnswer(reply, options) {
	const lines = reply.split("\n");
	const next = lines.findIndex((line) => says.nextQuestion.test(line.slice(0, 80)));
	return (next > 0 ? answerAbove(lines, next, options) : void 0) ?? bestCandidate(lines, options);
}
function answerAbove(lines, next, options) {
	const own = bestCandidate(lines.slice(0, next), options);
	if (own && own.force !== "weak") return own;
	const last = lines[lineBefore(lines, next)] ?? "";
	if (!isAnswerLine(last)) return void 0;
	return {
		text: stripMarkup(last.replace(/^\s{0,9}(?:#{4}|A\s?[:：])/, "")),
		found: "the last line before another question"
	};
}
/** Returns the last candidate of the highest rank; none if the reply withdraws it. A weak one counts only if no value stands last. */
function bestCandidate(lines, options) {
	const inCode = codeLines(lines);
	const last = lineBefore(lines, lines.length);
	const endsInValue = isShort(stripMarkup((lines[last] ?? "").slice(0, 200)), 40, 4) && !isRemarkLine(lines[last] ?? "");
	const best = {};
	let takenBack = -1;
	for (let at = last; at >= 0; at--) {
		const candidate = hashAnswer(lines, at, last) ?? lineAnswer(lines, at, last, inCode, options) ?? tableAnswer(lines, at) ?? headedAnswer(lines, at, last);
		const isWithdrawn = candidate && (takenBack > (candidate.end ?? at) || isTakenBack(lines, at, candidate));
		if (isWithdrawn && candidate.force !== "weak") return best.loose ?? none;
		if (takenBack < 0 && takenBackAt(lines[at], "later") !== void 0) takenBack = at;
		if (isWithdrawn) continue;
		if (candidate?.force === "plain") return candidate;
		if (best.loose && isAnswerLine(lines[at])) return none;
		if (candidate && (candidate.force === "loose" || at === last || !endsInValue)) best[candidate.force] ??= candidate;
	}
	return best.loose ?? best.weak;
}
/** Returns a function that says whether a line stands within a block of code that is closed. It scans the reply when it is first called. */
function codeLines(lines) {
	let inCode;
	return (at) => {
		inCode ??= blocksOf(lines);
		return inCode[at] ?? false;
	};
}
function blocksOf(lines) {
	const inCode = lines.map(() => false);
	for (const part of partsOf$1(scanReply(lines.join("\n")).regions)) if (part.kind === "fence" && part.isClosed) inCode.fill(true, part.firstLine, part.endLine);
	return inCode;
}
const none = {
	text: "",
	found: "an answer that the reply withdraws",
	force: "plain"
};
const isShort = (text, most, mostWords) => text.length <= most && text.split(/\s+/).length <= mostWords;
function lineAnswer(lines, at, last, inCode, options) {
	const line = lines[at];
	const words = lastAnnouncement(line, () => inCode(at), options.length > 0) ?? (options.length > 0 ? pickedLetter(line, options, at === last) : void 0);
	const box = lastBox(line, lines.slice(at + 1, at + 6));
	if (!box || words?.rank === "plain" && words.start >= box.end) return words && announced(lines, at, words);
	const text = stripMarkup(lastAnnouncement(box.text, () => false, options.length > 0)?.rest ?? box.text);
	return text === "" ? void 0 : {
		text,
		found: `\\boxed{…} on line ${at + 1}`,
		force: "plain"
	};
}
function announced(lines, at, words) {
	const label = JSON.stringify(stripMarkup(words.words.replace(/[*_`]+/g, "")).slice(0, 60));
	const same = isPointer(words.rest) ? "" : stripMarkup(quotedValue(words));
	if (same !== "" && !isBareMarks(same)) return {
		text: same,
		found: `what follows ${label} on line ${at + 1}`,
		force: words.rank
	};
	const below = textBelow(lines, at, words.rest);
	const text = below && stripMarkup(below.text);
	if (!text) return void 0;
	return {
		text,
		found: `what stands below ${label} on line ${at + 1}`,
		force: words.rank,
		end: below.end
	};
}
/** In JSON, as in `{"answer": "B", "sure": true}`, the answer ends with its value. */
function quotedValue({ words, rest }) {
	if (!/["']\s{0,9}:$/.test(words)) return rest;
	return /^\s{0,9}(?:"(?:[^"\\]|\\.)*"|[^,}\]]*)/.exec(rest)?.[0] ?? rest;
}
const openingBox = /\\f?boxed\s?\{/g;
const joinsBoxes = /^(?:[\s$,;/&*+、，；]|\\[()]|\\(?:text|quad|,|;)|[{}]|or|and|or also|oder|und|ou|et|->|→|\|)*$/i;
/**
* Returns the last `\boxed{…}` of a line; braces may nest. Boxes that only `or`, `and` or a comma parts are one text, because they
* name several answers. A box that does not close on its line ends on one of the next lines, or with its own.
*/
function lastBox(line, below) {
	const starts = line.includes("boxed") ? [...line.matchAll(openingBox)] : [];
	const last = starts.at(-1);
	if (!last) return void 0;
	const from = last.index + last[0].length;
	const end = closingBrace(line.slice(0, from + longestText$1), from);
	if (end === void 0) {
		const text = [line.slice(from), ...below].join("\n").slice(0, longestText$1);
		return {
			text: text.slice(0, closingBrace(text, 0) ?? line.length - from),
			start: last.index,
			end: line.length
		};
	}
	let first = last;
	for (let i = starts.length - 2; i >= 0; i--) {
		const earlier = starts[i];
		const close = closingBrace(line.slice(0, first.index), earlier.index + earlier[0].length);
		const between = close === void 0 ? void 0 : line.slice(close + 1, first.index);
		if (between === void 0 || between.length >= 40 || !joinsBoxes.test(between)) break;
		first = earlier;
	}
	return {
		text: first === last ? line.slice(from, end) : line.slice(first.index, end + 1),
		start: first.index,
		end
	};
}
/**
* Returns what follows `####` if it is one number or one word, on the last line or before remarks. A word may be a heading, so it
* gives way to an announcement.
*/
function hashAnswer(lines, at, last) {
	const [, behind = ""] = /^[ \t]{0,9}####([^#].{0,200})$/.exec(lines[at]) ?? [];
	if (behind === "") return void 0;
	const text = stripMarkup(behind);
	const isNumber = /^[-+−–]?\s?[$€£¥]?\s?[-−–]?\d[\d.,\s]*(?:%|\\%)?\.?$/.test(text);
	if (text === "" || !isNumber && /\s/.test(text) || /[:：]$/.test(text)) return void 0;
	if (at < last && (says.heading.test(text) || !isRemarked(lines, at, last))) return void 0;
	return {
		text,
		found: `what follows "####" on line ${at + 1}`,
		force: isNumber ? "plain" : "weak"
	};
}
const mostRemarks$1 = 5;
/** Whether all that follows a line is a few remarks. */
function isRemarked(lines, at, last) {
	if (last - at > 20) return false;
	const said = lines.slice(at + 1, last + 1).filter((line) => !isBareMarks(line));
	return said.length > 0 && said.length <= mostRemarks$1 && said.every(isRemarkLine);
}
const tableRow = /^\s{0,9}\|\s{0,9}[*_]{0,3}(?:(?:final|correct) )?answer[*_]{0,3}:?[*_]{0,3}\s{0,9}\|([^|]{1,200})\|\s{0,9}$/i;
/** Returns the second cell of a table row of two whose first is `Answer`. The first row of a table has no answer. */
function tableAnswer(lines, at) {
	const [, cell = ""] = tableRow.exec(lines[at].slice(0, 300)) ?? [];
	const text = cell && stripMarkup(cell);
	if (text === "" || /^\s*\|\s*:?-/.test(lines[at + 1] ?? "")) return void 0;
	return {
		text,
		found: `the cell beside "Answer" on line ${at + 1}`,
		force: "plain"
	};
}
/** Returns the text under a heading such as `## Answer`. If more follows, it must be short: else reasoning may begin there. */
function headedAnswer(lines, at, last) {
	const line = lines[at];
	if (line.length > 100 || !says.answerHeading.test(line)) return void 0;
	const below = textBelow(lines, at, "");
	const text = below && stripMarkup(below.text);
	const isWhole = below?.end === last;
	const isAnswer = (said, from) => isShort(said, 60, 5) && !/[:：,;]$|\n/.test(said) && !/^\s{0,9}(?:#|\d{1,2}[.)]\s)/.test(from) && !says.heading.test(said);
	if (!text || !(isWhole || isAnswer(text, lines[below.end]))) return void 0;
	return {
		text,
		found: `what stands below the heading on line ${at + 1}`,
		force: "plain",
		end: below.end
	};
}
const isRemarkLine = (line) => says.remarkLine.test(stripMarkup(line.slice(0, 200)));
/** Whether a line is a number behind `####` or `A:`. It may be an answer itself, so that the line below it may be a remark. */
const isAnswerLine = (line) => /^\s{0,9}(?:####|A\s?[:：])\s{0,9}[-−–$€£]{0,2}\d[\d.,]*%?\s*$/.test(line.slice(0, 100));
const listItem = /^\s{0,9}(?:[-*•+‣]|\d{1,2}[.)])\s/;
/**
* Returns the last line of a reply that holds more than marks, if it may be an answer. An item of a list of
* several is not. A remark such as `(Confidence: 90%)` is skipped; the line before it counts if it is short.
*/
function lastLine(reply) {
	const lines = reply.split("\n");
	const last = lineBefore(lines, lines.length);
	let at = last;
	while (at >= 0 && isRemarkLine(lines[at])) at = lineBefore(lines, at);
	const line = lines[at] ?? "";
	const text = stripMarkup(line.replace(/^\s{0,9}#{1,6}\s{1,9}/, ""));
	if (text === "" || at < last && text.length > 40) return void 0;
	const above = lines[lineBefore(lines, at)] ?? "";
	if (listItem.test(line) && listItem.test(above) || isAnswerLine(above)) return void 0;
	return {
		text,
		found: at < last ? `line ${at + 1}, before a remark` : "the last line"
	};
}
// src/replies/answers/units.ts
/** Names of units that are told apart; those with a bar between them are other units. */
const table = [
	"degree degrees deg|radian radians rad|inch inches in|foot feet ft|yard yards yd|mile miles mi",
	"millimeter millimeters millimetre millimetres mm|centimeter centimeters centimetre centimetres cm",
	"meter meters metre metres|kilometer kilometers kilometre kilometres km|gram grams|kilogram kilograms kg",
	"second seconds sec secs|minute minutes min mins|hour hours hr hrs|day days|week weeks|month months|year years yr yrs",
	"pound pounds lb lbs|ounce ounces oz|liter liters litre litres|gallon gallons gal|dollar dollars usd|cent cents"
].join("|");
const names$1 = new Map(table.split("|").flatMap((unit) => unit.split(" ").map((name) => [name, unit])));
const powers = new Map(Object.entries({
	square: "2",
	squared: "2",
	sq: "2",
	cubic: "3",
	cubed: "3",
	cu: "3"
}));
const others = /* @__PURE__ */ new Set([
	"per",
	"unit",
	"units",
	"mph"
]);
const wordsOf$1 = (text) => text.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
/** Whether a text consists of names of units, such as `square inches`. */
const isUnit = (text) => {
	const words = wordsOf$1(text);
	return words.length > 0 && words.every((word) => names$1.has(word) || powers.has(word) || others.has(word));
};
/** Whether two numbers name units, and not the same. A unit that only one of them names is left out by the other. */
function unitsDiffer(left, right) {
	const [ours, theirs] = [left, right].map((units) => knownUnit(wordsOf$1(units.join(" "))));
	return ours !== "" && theirs !== "" && ours !== theirs;
}
/** Returns the units among some words, with their power. */
function knownUnit(words) {
	const found = words.flatMap((word) => names$1.get(word) ?? []).sort();
	const power = words.map((word) => powers.get(word) ?? word).findLast((word) => /^\d$/.test(word)) ?? "1";
	return found.length === 0 ? "" : [...found, power].join();
}
// src/replies/answers/read-answer.ts
/** Returns the final answer of a reply, as `readAnswer` finds it. Undefined if the reply gives no answer. */
function extractAnswer(reply, patterns = []) {
	return readAnswer(reply, patterns)?.text;
}
/**
* Finds the final answer in a reply, and says where it stood. With patterns, the first that matches wins: the first group of its last
* match. Without patterns, or if none matches: the last announcement (`Answer: …`, `the answer is …`, `\boxed{…}`, `<answer>…`, or
* `#### …` on the last line), else the last line. Undefined if the reply is empty, or if its last line is one item of a list or a remark.
*/
function readAnswer(whole, patterns = []) {
	if (whole === void 0) return void 0;
	const reply = cutLongLines(whole);
	const found = matchPatterns(reply, patterns) ?? announcedAnswer(reply, []) ?? lastLine(reply);
	return found?.text === "" ? void 0 : found;
}
/** Returns what the first pattern that matches finds: an empty text if its group is empty. */
function matchPatterns(reply, patterns) {
	const text = reply.slice(-65536).trim();
	for (const pattern of text === "" ? [] : patterns) {
		const match = boundedMatch(text, pattern, "im");
		if (match === null || match === "too-long") continue;
		return {
			text: (match[1] ?? match[0] ?? "").trim(),
			found: `what the pattern ${pattern} matches`
		};
	}
}
/**
* Finds the final answer of a reply like `readAnswer`; of a sentence that states one formula, the formula. A last line that repeats an
* earlier one and is cut off does not count: some models repeat their answer until their tokens end.
*/
function readMathAnswer(reply, patterns = []) {
	const found = readAnswer(reply === void 0 ? void 0 : withoutCutLine(cutLongLines(reply)), patterns);
	return found && {
		...found,
		text: formulaOf(found.text)
	};
}
function withoutCutLine(reply) {
	const lines = reply.trimEnd().split("\n");
	const last = lines.pop()?.trim() ?? "";
	return (/\\[A-Za-z]*$/.test(last) || last.split("{").length > last.split("}").length || last.split("$").length % 2 === 0) && lines.some((line) => line.startsWith(last) && line.length > last.length) ? lines.join("\n") : reply;
}
const formula = /\$\$?([^$]+)\$?\$|\\\(([\s\S]+?)\\\)/g;
const longest$1 = 2e3;
/** Returns the formula of a sentence that states only one, such as `The area is $5\pi$ (in square inches).` Else the whole text. */
function formulaOf(text) {
	const found = text.length > longest$1 ? [] : [...text.matchAll(formula)];
	const last = found.at(-1);
	if (last === void 0) return text;
	const inner = (last[1] ?? last[2] ?? "").trim();
	const before = text.slice(0, last.index);
	const behind = text.slice(last.index + last[0].length).replace(/[\s.]+$/, "");
	const isOnly = found.every((one) => (one[1] ?? one[2] ?? "").trim() === inner);
	const isStated = before.trim() === "" || isOnly || /(?:^|\s)(?:is|are|equals|gives)\s*$/.test(before);
	const words = isOnly ? text.replace(formula, " ") : behind;
	if (!isStated || /[\d\\=+<>$^_]|\b(?:not|no|or|and)\b/.test(words)) return text;
	const [, remark, unit] = /^\s*\((?:in )?([A-Za-z ]+)\)|^\s*([A-Za-z ]+)$/.exec(behind) ?? [];
	if (remark !== void 0) return isUnit(remark) ? `${inner} ${remark}` : inner;
	if (behind === "" || /^,? (?:where |is the )/.test(behind)) return inner;
	return unit === void 0 ? text : `${inner} ${unit.trim()}`;
}
// src/replies/answers/choose-option.ts
/** The ways to choose an option, the surest first. The first that finds a claim decides. */
const ranks = [
	(text, options) => {
		const index = wholeOption(text, options);
		return index === void 0 ? void 0 : { index };
	},
	(text, options) => claimByLetter(plainText(text), options),
	claimByText,
	(text, options) => {
		const index = text.length > longestSentence ? void 0 : soleOption(plainText(text), options);
		return index === void 0 ? void 0 : { index };
	},
	emphasised,
	concluded
];
/**
* Returns the index of the option that an answer chooses: as `matchOption`, also by a letter with a reason (`B because …`), by an
* option's text with a remark (`Lyon, the capital`), or by a clause that names it alone (`It must be (B).`). Undefined if
* it chooses no option, or more than one.
*/
function chosenOption(text, options) {
	for (const rank of ranks) {
		const claim = rank(text, options);
		if (claim) return claim.index;
	}
}
/** Claims the only option that the last clause states in bold or as code: ``the result of `not True` is **False**``. */
function emphasised(text, options) {
	const clause = lastClause(text.slice(-2e3));
	const [only, ...more] = [...clause.matchAll(/(\*\*|`)(?!\s)([^*`]{1,200}?)(?:\1|$)/g)].flatMap((match) => {
		const index = wholeOption(stripMarkup(match[2] ?? ""), options);
		const behind = clause.slice(match.index + match[0].length);
		return index === void 0 ? [] : [{
			index,
			before: clause.slice(0, match.index),
			behind
		}];
	});
	if (!only || more.some(({ index }) => index !== only.index) || !states.test(only.before)) return void 0;
	return isKept(only.behind, only.index, options) && !says.letterDenied.test(only.behind) ? { index: only.index } : void 0;
}
const lastClause = (text) => clausesOf(text.trim()).at(-1) ?? "";
/**
* Claims the option of the last clause that states one: it is the only one that the answer names, or what the clause concludes. A text
* that is cut off concludes nothing.
*/
function concluded(text, options) {
	const clauses = clausesOf(plainText(text.slice(-2e3)));
	const last = clauses.at(-1) ?? "";
	if (!optionsNamed(last, options).some((index) => last.endsWith(options[index])) && !isFinished(text)) return void 0;
	for (let at = clauses.length - 1; at >= 0; at--) {
		const clause = clauses[at];
		const index = soleOption(clause, options) ?? statedOption(clause, options);
		if (index === void 0) continue;
		const isOnly = clauses.slice(0, at).every((other) => othersThan(index, other, options).length === 0);
		const isLast = clauses.slice(at + 1).every((later) => keepsOption(later, index, options));
		return (concludes.test(clause) || isOnly && at === clauses.length - 1) && isLast ? { index } : void 0;
	}
}
/** Whether a text ends as a sentence does. The marks at the end of an answer may be cut. */
const isFinished = (text) => /[.!?…)\]}*"”'`$]\s*$/.test(text) || text.split("**").length % 2 === 0 || text.split("`").length % 2 === 0;
/** Whether a clause behind a stated option names no other and does not deny it. */
const keepsOption = (clause, index, options) => {
	const named = optionsNamed(clause, options);
	return named.length === 0 ? takenBackAt(clause, "behind") === void 0 && !deniesOptions.test(clause) : named.length === 1 && named[0] === index && !denies.test(clause);
};
const denies = /\b(?:not|no|never|cannot|wrong|incorrect)\b|n['’]t\b/i;
const deniesOptions = /\bnone of\b|\bnot (?:among|listed|one of|an option|in the)\b/i;
const concludes = /^(?:so|thus|hence|therefore|overall|in conclusion|finally|given (?:this|these|the options))\b|^the (?:argument|answer|result|statement|sentence) is\b|\b(?:best|closest|correct|right|most (?:likely|appropriate|suitable|similar)) (?:\w+ )?(?:answer|option|choice|match|movie)\b/i;
const longestSentence = 600;
/** Returns the only option that a text names: by its letter, or by its text at the end. */
function soleOption(plain, options) {
	const comparable = comparableText(plain);
	const [named] = letterMentions(plain, options, "sure");
	const [chosen, ...others] = optionsNamed(plain, options);
	if (chosen === void 0 || others.length > 0) return void 0;
	if (named) {
		const after = plain.slice(named.to);
		const own = optionAtStart(after.trimStart().toLowerCase(), options);
		const rest = own?.indexes.includes(chosen) ? after.trimStart().slice(own.length) : after;
		const before = plain.slice(0, named.from);
		const clause = before.slice(Math.max(before.lastIndexOf(". "), before.lastIndexOf("; ")) + 1);
		return !says.negated.test(clause) && !/\?\s*$/.test(after) && !says.letterDenied.test(rest) && isKept(rest, chosen, options) ? chosen : void 0;
	}
	const [own] = textMentions(comparable, options);
	if (!own) return void 0;
	const [before, after] = [comparable.slice(0, own.from), comparable.slice(own.to)];
	return (/ (?:is|must be) $/.test(before) && isReason(after) || after === "") && !says.negated.test(before) ? chosen : void 0;
}
/** Before an option: it is what the clause states, and no second one. */
const states = /(?<!\b(?:or|and|nor|but) )(?:\b(?:is|be|yields|equals|becomes|evaluates to|simplifies to|gives|making|corresponds to)|[=:])\s*(?:option\s)?(?:[([][a-z][)\]]|[{(\\])*\s*["'*]*$/i;
const pointsTo = /\b(?:corresponds to|matches|is) (?:the )?(?:option|choice|answer)?\s*$/i;
/** Returns the option at the end of a clause, behind a word that states it; what stands before repeats the question. */
function statedOption(plain, options) {
	const comparable = comparableText(plain).replace(/[})]+$/, "");
	const last = textMentions(comparable, options).at(-1);
	const [lettered, another] = letterMentions(plain, options, "sure");
	if (lettered && !another && pointsTo.test(plain.slice(0, lettered.from)) && /^[\s).]*$/.test(plain.slice(lettered.to))) return lettered.index;
	if (!last || last.to < comparable.length || lettered && lettered.index !== last.index) return void 0;
	return states.test(comparable.slice(0, last.from)) ? last.index : void 0;
}
const qualifies = /\b(?:is|as|it|seems|be|not|indeed|and|making|considered)\W+(?:\w+\W+)?$/i;
const negatesNext = /(?:\b(?:not|never|hardly)|n['’]t)\W+(?:\w+\W+){0,2}$/i;
/**
* Returns the option `yes` or `no` of an answer that says so in the words of its question: `it is not plausible` behind
* `Is the sentence plausible?`, `Ann tells the truth` behind `Does Ann tell the truth?`. The last clause must say it, and one thing only.
*/
function restatedOption(text, options, question) {
	const [yes, no] = ["yes", "no"].map((word) => options.findIndex((option) => option.toLowerCase() === word));
	const [, quality, subject = "", told] = /\b(?:(?:is|are)\s[^?.]{1,60}?\s(\p{L}+)|does\s(\p{L}+)\s(tell the truth))\?/iu.exec(question.slice(-2e3)) ?? [];
	const said = quality ?? told ?? "";
	if (options.length !== 2 || yes === -1 || no === -1 || said === "") return void 0;
	const clause = plainText(lastClause(text.slice(-2e3)));
	const form = new RegExp(`(?<![\\p{L}])(im|in|un)?${said.replace(/^\p{L}+/u, "$&s?")}(?![\\p{L}])`, "giu");
	const found = [...clause.matchAll(form)].map((match) => {
		const before = clause.slice(0, match.index);
		const isAbout = (told ? new RegExp(`${subject}(?:\\W+\\w+){0,4}\\W*$`, "iu") : qualifies).test(before);
		const isUnsure = /\b(?:whether|if|may|might|could|less|more|a)\b[^,]{0,30}$/i.test(before);
		return !isAbout || isUnsure ? void 0 : match[1] !== void 0 || negatesNext.test(before) ? no : yes;
	});
	const [only, ...more] = new Set(found);
	return more.length === 0 && isFinished(text) ? only : void 0;
}
// src/replies/answers/read-choice.ts
/**
* Finds the option that a reply chooses, as `readAnswer` finds an answer. Here `the correct choice is B` announces, too. Without an
* announcement the last line counts only if the line above it names no other option: a list of options is no answer. With the
* question, an answer that repeats its words counts for `yes` or `no`.
*/
function readChoice(whole, options, patterns = [], question = "") {
	if (whole === void 0) return void 0;
	const reply = cutLongLines(whole);
	const announced = matchPatterns(reply, patterns) ?? announcedAnswer(reply, options);
	if (announced?.text === "") return void 0;
	const last = announced && announced.force !== "weak" ? void 0 : lastLine(reply);
	const stated = last && optionOfLastLine(reply, last.text, options);
	if (last && announced && stated !== void 0 && chosenOption(announced.text, options) !== void 0) return {
		...last,
		index: stated,
		named: optionsNamed(last.text, options)
	};
	const found = announced ?? last;
	if (!found) return void 0;
	const named = optionsNamed(found.text, options);
	const index = (announced ? chosenOption(found.text, options) : stated) ?? restatedOption(found.text, options, question) ?? (announced || named.length > 0 ? void 0 : optionAbove(reply, options));
	return {
		...found,
		index,
		named
	};
}
const mostRemarks = 3;
/** Returns the option that stands alone on a line, if only finished remarks follow that name no other. */
function optionAbove(reply, options) {
	const lines = reply.split("\n");
	const remarks = [];
	let at = lineBefore(lines, lines.length);
	while (at > 0 && remarks.length < mostRemarks && isFinished(lines[at])) {
		remarks.push(lines[at]);
		at = lineBefore(lines, at);
		const line = lines[at] ?? "";
		const index = /^\s{0,3}(?:\*\*.*\*\s*$|\([A-Z]\)\s)/.test(line) ? matchOption(stripMarkup(line), options) : void 0;
		if (index !== void 0) return remarks.every((remark) => keepsOption(remark, index, options)) ? index : void 0;
		if (optionsNamed(line, options).length > 0) return void 0;
	}
}
function optionOfLastLine(reply, text, options) {
	const index = chosenOption(withoutSpeaker(text, options), options);
	const isItem = optionsBegun(text, options).length > 0 || /^(?:[-•+]|\d{1,2}[.)])\s/.test(text);
	if (index === void 0 || !isItem) return index;
	const lines = reply.slice(0, Math.max(0, reply.lastIndexOf(text))).split("\n");
	const above = stripMarkup(lines[lineBefore(lines, lines.length)] ?? "");
	return [...optionsBegun(above, options), ...letterMentions(plainText(above), options, "sure").map((mention) => mention.index)].every((other) => other === index) ? index : void 0;
}
/** `A:` before a sentence stands for "answer", unless the option's own text or a reason follows. */
function withoutSpeaker(text, options) {
	const [speaker, sentence = ""] = /^[*_]{0,3}A\s?[:：][*_]{0,3}\s{1,9}(\S[\s\S]*)$/.exec(text) ?? [];
	if (speaker === void 0 || isReason(sentence)) return text;
	return optionsBegun(sentence, options).includes(0) ? text : sentence;
}
// src/text/shorten.ts
/** Cuts out the middle of a text wherever it is. For what trial ids and kept verdicts depend on: titles of tasks, reasons of graders. */
function cutMiddle(text, longest = 600) {
	if (text.length <= longest) return text;
	const half = Math.floor((longest - 3) / 2);
	return `${sliceWhole(text, 0, half)} … ${sliceWhole(text, text.length - half, text.length)}`;
}
/** Like `slice`, but never splits a surrogate pair. */
function sliceWhole(text, from, to) {
	return text.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
// src/text/errors.ts
/** Infrastructure broke (a grader, a child process that cannot start). The outcome is `error`, never a score of 0. */
var InfrastructureError = class extends Error {
	constructor(message, options) {
		super(message, options);
		this.name = "InfrastructureError";
	}
};
// src/text/units.ts
const names = new Map(`
kg kgs kilo kilos kilogram kilograms kilogramm kilogrammes
g gr gram grams gramm gramme grammes
mg milligram milligrams milligramm
µg μg mcg microgram micrograms
t ton tons tonne tonnes tonnen
lb lbs
oz ounce ounces
km kilometer kilometers kilometre kilometres kilometern
m meter meters metre metres mètre mètres metern
cm centimeter centimeters centimetre centimetres zentimeter
mm millimeter millimeters millimetre millimetres
µm μm micrometer micrometers micrometre
nm nanometer nanometers nanometre
mi mile miles
yd yard yards
ft foot feet
in inch inches
s sec secs second seconds sek sekunde sekunden seconde secondes
ms millisecond milliseconds millisekunden
min mins minute minutes minuten
h hr hrs hour hours std stunde stunden heure heures
d day days tag tage tagen jour jours
week weeks woche wochen semaine semaines
month months monat monate monaten mois
yr yrs year years jahr jahre jahren année années
l L liter liters litre litres litern
ml mL milliliter milliliters millilitre millilitres
cl cL centiliter centilitre
dl dL deciliter decilitre
gal gallon gallons
°C ℃ celsius degrees-celsius degree-celsius grad-celsius degrés-celsius deg-C
°F ℉ fahrenheit degrees-fahrenheit degree-fahrenheit grad-fahrenheit deg-F
K kelvin
° deg degree degrees grad
rad radian radians
km/h kmh kph km-per-hour kilometers-per-hour kilometres-per-hour kilometer-pro-stunde
mph miles-per-hour
m^2 m² qm sqm square-meters square-metres square-meter square-metre quadratmeter
m^3 m³ cbm cubic-meters cubic-metres cubic-meter cubic-metre kubikmeter
km^2 km² sqkm square-kilometers square-kilometres quadratkilometer
ha hectare hectares hektar
acre acres
J joule joules
kJ kilojoule kilojoules
MJ megajoule megajoules
cal calories calorie
kcal kilocalories kilocalorie kilokalorien
Wh
kWh kilowatt-hours kilowatt-hour kilowattstunden
MWh megawatt-hours
W watt watts
kW kilowatt kilowatts
MW megawatt megawatts
GW gigawatt gigawatts
V volt volts
mV millivolt millivolts
kV kilovolt
A amp amps ampere amperes
mA milliampere
mAh
Hz hertz
kHz kilohertz
MHz megahertz
GHz gigahertz
N newton newtons
kN kilonewton
Pa pascal pascals
hPa
kPa
MPa
bar bars
mbar
psi
Ω ohm ohms
mol mole moles
dB decibel decibels
bit bits
B byte bytes
kB KB kilobyte kilobytes
MB megabyte megabytes
GB gigabyte gigabytes
TB terabyte terabytes
KiB
MiB
GiB
TiB
Mbit/s Mbps
Gbit/s Gbps
dollar dollars $ USD US-dollar US-dollars
EUR € euro euros
GBP £
CHF franken francs
JPY ¥ yen
ct cent cents
`.trim().split("\n").flatMap((line) => {
	const words = line.split(" ").map((name) => name.replaceAll("-", " "));
	return words.map((name) => [name, words[0]]);
}));
/** Letters that stand for a seat, a thousand or a billion as often as for a unit: behind a number alone they name none. */
const doubtful = /* @__PURE__ */ new Set([
	"A",
	"B",
	"K",
	"N",
	"J",
	"d"
]);
/** A name without a number: one to three words, or symbols with powers that are multiplied and divided. */
const phrase = /^[\p{L}°℃℉Ω€$£¥]+(?:\s[\p{L}°]+){0,2}/u;
const term = `[\\p{L}°℃℉µμΩ€$£¥]+(?:\\^?[-−]?[23²³])?`;
const compound = new RegExp(`^${term}(?:\\s?[/·⋅*]\\s?${term})*`, "u");
/** Returns the unit that a text names and nothing else, by its symbol: `km/h`, `m^2`. Undefined for other texts, and for a letter in doubt. */
function unitNamed(text) {
	const found = unitAtStart(text.trim());
	return found?.length === text.trim().length && !doubtful.has(text.trim()) ? found.unit : void 0;
}
/** The unit at the beginning of a text, by its symbol, and how many characters name it. */
function unitAtStart(text) {
	if (/^in\s+\p{L}/u.test(text)) return void 0;
	const [words = ""] = phrase.exec(text) ?? [];
	for (let name = words; name !== ""; name = name.replace(/\s?\S+$/, "")) {
		const unit = nameOf(name);
		const isCut = /^[/·⋅*^²³\p{L}\d]/u.test(text.slice(name.length));
		if (unit !== void 0 && !isCut) return {
			unit,
			length: name.length
		};
	}
	const [symbols = ""] = compound.exec(text) ?? [];
	const parts = symbols.split(/(\s?[/·⋅*]\s?)/).map((part, i) => i % 2 === 0 ? termOf(part) : signOf(part));
	if (symbols === "" || parts.some((part) => part === void 0)) return void 0;
	const joined = parts.join("");
	return {
		unit: nameOf(joined) ?? joined,
		length: symbols.length
	};
}
const signOf = (sign) => sign.trim() === "/" ? "/" : "·";
function termOf(text) {
	const [, name = "", exponent = ""] = /^(.*?)\^?([-−]?[23²³])?$/u.exec(text) ?? [];
	const unit = nameOf(name);
	const digit = exponent.replace("−", "-").replace("²", "2").replace("³", "3");
	return unit === void 0 ? void 0 : digit === "" ? unit : `${unit}^${digit}`;
}
/** Words may be written with capitals; a symbol of one letter may not. */
const nameOf = (name) => names.get(name) ?? (name.length > 1 ? names.get(name.toLowerCase()) : void 0);
/** A number with what may stand between it and its unit: a space, or the beginning of a text in LaTeX. */
const number = /\d(?:[\d.,'’\u00a0\u202f]*\d)?(?:\s|~|\\[,;: ]|\\(?:text|mathrm|rm|unit)\s*\{\s*)*/g;
/** Returns the units that stand behind the numbers of a text, by their symbols, each with its place in the text. */
function unitsBehind(text) {
	return [...text.matchAll(number)].flatMap(({ 0: written, index }) => {
		const from = index + written.length;
		const rest = text.slice(from, from + 60);
		const [degree = ""] = /^\^\{?\\?circ\}?\s?/.exec(rest) ?? [];
		const found = unitAtStart(degree === "" ? rest : `°${rest.slice(degree.length)}`);
		const more = degree === "" ? 0 : degree.length - 1;
		return found === void 0 ? [] : [{
			unit: found.unit,
			from,
			to: from + found.length + more
		}];
	});
}
/** Whether two units may be the same: `degrees` may be those of a temperature. */
const sameUnit = (one, other) => one === other || isDegree(one) && isDegree(other) && (one === "°" || other === "°");
const isDegree = (unit) => unit.startsWith("°");
// src/graders/expected.ts
/** Returns the expected answer: the grader's, else the reference solution's; undefined if there is none. */
function findExpectedAnswer(spec, task) {
	return spec.answer === void 0 ? task.hidden.solution?.answer : String(spec.answer);
}
/** Like `findExpectedAnswer`, but throws `InfrastructureError` if there is none. */
function requireExpectedAnswer(spec, task) {
	const answer = findExpectedAnswer(spec, task);
	if (answer === void 0) throw new InfrastructureError(`${task.ref}: the grader ${spec.name} has no answer to compare with`);
	return answer;
}
// src/graders/grader.ts
/** Returns a score of 1 or 0 with its reason. */
function binaryScore(name, right, reason) {
	return {
		name,
		value: right ? 1 : 0,
		reason: cutMiddle(reason)
	};
}
/** Returns the score of a trial without an answer. */
function emptyAnswerScore(name) {
	return binaryScore(name, false, "the reply gives no answer");
}
// src/graders/answers.ts
/** Passes if the final answer names the right option, by its letter or its text, and no other. */
const choice = ({ spec, task, answer }) => {
	const source = requireExpectedAnswer(spec, task);
	const expected = matchOption(source, spec.options);
	if (expected === void 0) throw new InfrastructureError(`${task.ref}: the answer ${JSON.stringify(source)} is not one of the options of the grader ${spec.name}`);
	const found = readChoice(answer, spec.options, spec.extract, task.instruction);
	if (!found) return emptyAnswerScore(spec.name);
	const chosen = found.index;
	const shown = (index) => `(${optionLetter(index)}) ${spec.options[index]}`;
	if (chosen === void 0) {
		const which = found.named.length === 2 ? `: it names ${found.named.map(shown).join(" and ")}` : "";
		return binaryScore(spec.name, false, `${JSON.stringify(found.text)} names no single option${which}`);
	}
	const named = shown(chosen);
	return binaryScore(spec.name, chosen === expected, `${named} is ${chosen === expected ? "right" : "not the answer"}`);
};
/** Passes if the final answer equals the expected text, except for white space, a final period and (by default) case. */
const exact = ({ spec, task, answer }) => {
	const expected = requireExpectedAnswer(spec, task);
	const found = extractAnswer(answer, spec.extract);
	if (!found) return emptyAnswerScore(spec.name);
	const right = isRight(found, expected, spec.ignoreCase);
	return binaryScore(spec.name, right, `${quote(found)} is ${right ? "right" : "not the answer"}`);
};
function isRight(found, expected, ignoreCase) {
	if (found === expected) return true;
	const wanted = [...forms$1(expected, ignoreCase), ...forms$1(stripMarkup(expected), ignoreCase)];
	return forms$1(found, ignoreCase).some((form) => wanted.includes(form));
}
function forms$1(text, ignoreCase) {
	const plain = text.normalize("NFC").replace(/\s+/g, " ").trim();
	const cased = ignoreCase ? plain.toLowerCase() : plain;
	return [cased, cased.replace(/\.$/, "").trim()].filter((form) => form !== "");
}
const quote = (text) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
/** Passes if the final answer is a number within the tolerance. A line that names two different numbers is not an answer. */
const numeric = ({ spec, task, answer }) => {
	const source = requireExpectedAnswer(spec, task);
	const expected = pickNumber(source);
	if ("problem" in expected) throw new InfrastructureError(`${task.ref}: the expected answer ${JSON.stringify(source)} of the grader ${spec.name} ${expected.problem}`);
	const picked = readNumber(spec, answer, task.instruction);
	if (!picked) return emptyAnswerScore(spec.name);
	if ("problem" in picked) return binaryScore(spec.name, false, `the answer ${picked.problem}`);
	const [wanted] = expected.number.values;
	const { text, values } = picked.number;
	const right = values.some((value) => Number.isSafeInteger(wanted) || spec.tolerance > 0 ? isWithin(value, wanted, spec.tolerance) : sameWhole(text, source) ?? isWithin(value, wanted, 0));
	return binaryScore(spec.name, right, `${describeNumber(text, values)} is ${right ? "right" : "not the answer"}`);
};
/** Returns the number of an answer to an instruction, without the unit that the task names; or why it is none. */
function readNumber({ decimal, extract, unit }, answer, instruction) {
	const found = readAnswer(answer, extract);
	if (!found) return void 0;
	const bare = withoutUnit(found.text, unit);
	if ("problem" in bare) return bare;
	const pick = (text) => pickNumber(decimal === "comma" ? commasToPoints(text) : text, found.force !== void 0, instruction);
	const whole = pick(found.text);
	return "problem" in whole ? pick(bare.text) : whole;
}
/** Returns an answer without its unit; or why it is none, if it names units and not the wanted one. */
function withoutUnit(text, unit) {
	if (unit === void 0) return { text };
	const wanted = unitNamed(unit) ?? unit;
	const named = unitsBehind(text);
	const same = named.filter((one) => sameUnit(one.unit, wanted));
	const [other] = named;
	if (same.length === 0 && other !== void 0) return { problem: `the answer is in ${other.unit}, not in ${wanted}` };
	return { text: same.reduceRight((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), text) };
}
/** Adds the value to a number whose text says it in another way: `3 million (3000000)`. */
const describeNumber = (text, [value]) => /[\p{L}/]/u.test(text) ? `${text} (${value})` : text;
function sameWhole(left, right) {
	const [one, other] = [left, right].map((text) => text.trim().replace(/(?<=\d),(?=\d{3})/g, ""));
	const isWhole = (text) => text !== void 0 && /^[-+]?\d{1,1000}$/.test(text);
	return isWhole(one) && isWhole(other) ? BigInt(one) === BigInt(other) : void 0;
}
function isWithin(value, expected, tolerance) {
	const distance = Math.abs(value - expected);
	if (!Number.isFinite(value)) return false;
	if (Number.isSafeInteger(value) && Number.isSafeInteger(expected)) return distance <= tolerance;
	return distance <= tolerance + 4 * Number.EPSILON * Math.max(Math.abs(value), Math.abs(expected), tolerance);
}
// src/base/random.ts
/**
* Creates a seeded generator: the same label gives the same numbers on every machine and Node version. cyrb128 (bryc, public
* domain) hashes the label into the state of sfc32 (Chris Doty-Humphrey, PractRand).
*/
function seededRandom(label) {
	let [a, b, c, d] = spread(label);
	const next = () => {
		const bits = a + b + d | 0;
		a = b ^ b >>> 9;
		b = c + (c << 3) | 0;
		c = (c << 21 | c >>> 11) + bits | 0;
		d = d + 1 | 0;
		return (bits >>> 0) / 2 ** 32;
	};
	for (let i = 0; i < 4; i++) next();
	return next;
}
function spread(label) {
	const [p, q, r, s] = [
		597399067,
		2869860233,
		951274213,
		2716044179
	];
	let [a, b, c, d] = [
		1779033703,
		3144134277,
		1013904242,
		2773480762
	];
	for (let i = 0; i < label.length; i++) {
		const code = label.charCodeAt(i);
		a = b ^ Math.imul(a ^ code, p);
		b = c ^ Math.imul(b ^ code, q);
		c = d ^ Math.imul(c ^ code, r);
		d = a ^ Math.imul(d ^ code, s);
	}
	a = Math.imul(c ^ a >>> 18, p);
	b = Math.imul(d ^ b >>> 22, q);
	c = Math.imul(a ^ c >>> 17, r);
	d = Math.imul(b ^ d >>> 19, s);
	return [
		a,
		b,
		c,
		d
	];
}
// src/graders/mathematics/complex.ts
/** Real numbers with 100 digits: unlike values do not agree in so many by chance. */
const Real = Decimal.clone({ precision: 100 });
const real = (value) => ({
	re: new Real(value),
	im: zero
});
const zero = new Real(0);
const one$1 = real(1);
/** Where no value is defined. */
const nowhere = {
	re: new Real(NaN),
	im: zero
};
const imaginary = {
	re: zero,
	im: new Real(1)
};
const pi = Real.acos(-1);
const isReal = ({ im }) => im.isZero();
const isDefined = ({ re, im }) => re.isFinite() && im.isFinite();
const add = (a, b) => ({
	re: a.re.plus(b.re),
	im: a.im.plus(b.im)
});
const negate = (a) => ({
	re: a.re.neg(),
	im: a.im.neg()
});
function multiply(a, b) {
	if (isReal(a) && isReal(b)) return {
		re: a.re.times(b.re),
		im: zero
	};
	return {
		re: a.re.times(b.re).minus(a.im.times(b.im)),
		im: a.re.times(b.im).plus(a.im.times(b.re))
	};
}
function divide(a, b) {
	if (isReal(b)) return b.re.isZero() ? nowhere : {
		re: a.re.div(b.re),
		im: a.im.div(b.re)
	};
	const square = b.re.times(b.re).plus(b.im.times(b.im));
	const product = multiply(a, {
		re: b.re,
		im: b.im.neg()
	});
	return {
		re: product.re.div(square),
		im: product.im.div(square)
	};
}
const modulus = ({ re, im }) => im.isZero() ? re.abs() : re.times(re).plus(im.times(im)).sqrt();
/** Larger exponents and angles are not computed: their time or their digits would have no bound. */
const largest = 1e6;
function exponential({ re, im }) {
	if (!(re.abs().lte(largest) && im.abs().lte(largest))) return nowhere;
	const size = re.exp();
	return im.isZero() ? {
		re: size,
		im: zero
	} : {
		re: size.times(im.cos()),
		im: size.times(im.sin())
	};
}
function logarithm(a) {
	const size = modulus(a);
	if (size.isZero()) return nowhere;
	return {
		re: size.ln(),
		im: isReal(a) && a.re.gt(0) ? zero : Real.atan2(a.im, a.re)
	};
}
/** A power. Roots of negative numbers with an odd index are real, as in schools. */
function power(base, exponent) {
	if (!(isDefined(base) && isDefined(exponent)) || modulus(exponent).gt(largest)) return nowhere;
	if (isReal(exponent) && exponent.re.isInteger()) return wholePower(base, exponent.re.toNumber());
	if (base.re.isZero() && isReal(base)) return exponent.re.gt(0) ? real(0) : nowhere;
	if (!isReal(base) || !isReal(exponent)) return exponential(multiply(exponent, logarithm(base)));
	if (base.re.gt(0)) return {
		re: base.re.pow(exponent.re),
		im: zero
	};
	const index = oddIndices.find((index) => isWhole$1(exponent.re.times(index)));
	if (index === void 0) return exponential(multiply(exponent, logarithm(base)));
	const size = base.re.neg().pow(exponent.re);
	return {
		re: !exponent.re.times(index).round().mod(2).isZero() ? size.neg() : size,
		im: zero
	};
}
const oddIndices = [
	3,
	5,
	7,
	9,
	11
];
const isWhole$1 = (value) => value.minus(value.round()).abs().lt("1e-90");
function wholePower(base, exponent) {
	if (exponent < 0) return divide(one$1, wholePower(base, -exponent));
	if (isReal(base)) return {
		re: base.re.pow(exponent),
		im: zero
	};
	let [result, square] = [one$1, base];
	for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
		if (rest % 2 === 1) result = multiply(result, square);
		square = multiply(square, square);
	}
	return result;
}
function squareRoot(a) {
	if (isReal(a)) return a.re.lt(0) ? {
		re: zero,
		im: a.re.neg().sqrt()
	} : {
		re: a.re.sqrt(),
		im: zero
	};
	const size = modulus(a);
	const im = size.minus(a.re).div(2).sqrt();
	return {
		re: size.plus(a.re).div(2).sqrt(),
		im: a.im.lt(0) ? im.neg() : im
	};
}
function sine(a) {
	if (modulus(a).gt(largest)) return nowhere;
	if (isReal(a)) return {
		re: a.re.sin(),
		im: zero
	};
	return {
		re: a.re.sin().times(a.im.cosh()),
		im: a.re.cos().times(a.im.sinh())
	};
}
/** The cosine. */
const cosine = (a) => sine(add({
	re: pi.div(2),
	im: zero
}, negate(a)));
// src/graders/mathematics/evaluate.ts
/** Why a text is not compared as mathematics, in words that follow "it". */
var Undecided = class extends Error {};
/** Returns the value of an expression at a point. Throws `Undecided` for what is no number or has no bound. */
function evaluate(node, at) {
	const literal = numberOf(node);
	if (literal !== void 0) return real(literal);
	if (typeof node === "string") return constants.get(node) ?? at.values.get(node) ?? unknown(node);
	if (!Array.isArray(node)) return unknown(JSON.stringify(node));
	const [head, ...parts] = node;
	if (head === "InvisibleOperator") return evaluateProduct(parts, at);
	if (head === "Signed") return evaluate(parts[1], {
		...at,
		sign: parts[0] === 1 ? 1 : -1
	});
	if (head === "At" || head === "Subscript") return at.values.get(symbolName(node) ?? "") ?? unknown(head);
	if (head === "Delimiter" && Array.isArray(parts[0]) && parts[0][0] === "Sequence") return unknown("a list");
	const inverse = head === "Apply" && Array.isArray(parts[0]) && parts[0][0] === "InverseFunction";
	const name = inverse ? `Arc${String(parts[0][1]).toLowerCase()}` : String(head);
	return (operations.get(name) ?? unknown(name))((inverse ? parts.slice(1) : head === "Delimiter" ? parts.slice(0, 1) : parts).map((part) => evaluate(part, at)), at.sign);
}
const unknown = (what) => {
	throw new Undecided(`has ${what.slice(0, 40)}, which is not evaluated`);
};
/** Returns the digits of a number that stands in a text. */
function numberOf(node) {
	if (typeof node === "number") return String(node);
	return typeof node === "object" && "num" in node ? node.num : void 0;
}
/** Returns the name of a variable, with its index. Undefined for what is none. */
function symbolName(node) {
	if (typeof node === "string") return !constants.has(node) && variable.test(node) ? node : void 0;
	if (!Array.isArray(node) || node[0] !== "At" && node[0] !== "Subscript") return void 0;
	const [, base, index] = node;
	return typeof base === "string" && symbolName(base) !== void 0 ? `${base}_${JSON.stringify(index)}` : void 0;
}
const variable = /^(?:[A-Za-z](?:_(?:upright|bold))?|alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|rho|sigma|tau|upsilon|phi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Sigma|Phi|Psi|Omega)$/;
/** Adds the names of the variables of an expression. */
function addVariables(node, names) {
	const name = symbolName(node);
	if (name !== void 0) names.add(name);
	else if (Array.isArray(node)) for (const part of node.slice(1)) addVariables(part, names);
}
/** A product. A whole number before a proper fraction of whole numbers is a mixed number. */
function evaluateProduct(parts, at) {
	const [first, second] = parts;
	const factors = parts.map((part) => evaluate(part, at));
	if (!isWhole(first) || !isProperFraction(second)) return factors.reduce(multiply);
	const [whole, fraction, ...others] = factors;
	return others.reduce(multiply, add(whole, fraction));
}
const isWhole = (node) => /^\d+$/.test(numberOf(node) ?? "");
function isProperFraction(node) {
	if (!Array.isArray(node) || node.length !== 3 || node[0] !== "Divide" && node[0] !== "Rational") return false;
	const [, above, below] = node;
	return isWhole(above) && isWhole(below) && new Real(numberOf(above) ?? 0).lt(numberOf(below) ?? 0);
}
const one = real(1);
const reciprocal = (a) => divide(one, a);
const tangent = (a) => divide(sine(a), cosine(a));
/** A function of real numbers. */
const ofReal = (compute) => (a) => isReal(a) ? {
	re: compute(a.re),
	im: zero
} : nowhere;
const unary = {
	Delimiter: (a) => a,
	Negate: negate,
	Sqrt: squareRoot,
	Ln: logarithm,
	Lb: (a) => divide(logarithm(a), logarithm(real(2))),
	Abs: (a) => ({
		re: modulus(a),
		im: zero
	}),
	Sin: sine,
	Cos: cosine,
	Tan: tangent,
	Cot: (a) => divide(cosine(a), sine(a)),
	Sec: (a) => reciprocal(cosine(a)),
	Csc: (a) => reciprocal(sine(a)),
	Arcsin: ofReal((x) => x.asin()),
	Arccos: ofReal((x) => x.acos()),
	Arctan: ofReal((x) => x.atan()),
	Floor: ofReal((x) => x.floor()),
	Ceil: ofReal((x) => x.ceil()),
	Degrees: (a) => multiply(a, {
		re: pi.div(180),
		im: zero
	}),
	Factorial: ofReal((x) => x.isInteger() && x.gte(0) && x.lte(200) ? factorial(x) : nowhere.re)
};
const binary = {
	Subtract: (a, b) => add(a, negate(b)),
	Divide: divide,
	Rational: divide,
	Power: power,
	Root: (a, b) => power(a, reciprocal(b)),
	Binomial: (a, b) => isReal(a) && isReal(b) && a.re.isInteger() && a.re.lte(200) && b.re.isInteger() && b.re.gte(0) && b.re.lte(a.re) ? {
		re: factorial(a.re).div(factorial(b.re).times(factorial(a.re.minus(b.re)))),
		im: zero
	} : nowhere
};
const factorial = (n) => Array.from({ length: n.toNumber() }, (_, i) => new Real(i + 1)).reduce((a, b) => a.times(b), new Real(1));
const operations = new Map([
	...Object.entries(unary).map(([name, of]) => [name, exactly(1, ([a]) => of(a))]),
	...Object.entries(binary).map(([name, of]) => [name, exactly(2, ([a, b]) => of(a, b))]),
	["Add", (parts) => parts.reduce(add, real(0))],
	["Multiply", (parts) => parts.reduce(multiply, one)],
	["Log", ([a = nowhere, base = real(10)]) => divide(logarithm(a), logarithm(base))],
	["PlusMinus", signed(1)],
	["MinusPlus", signed(-1)]
]);
function exactly(count, compute) {
	return (parts) => parts.length === count ? compute(parts) : unknown("a function without its arguments");
}
function signed(own) {
	return (parts, sign) => {
		const [a, b] = parts.length === 1 ? [real(0), parts[0]] : parts;
		return add(a, multiply(real(own * sign), b));
	};
}
const constants = /* @__PURE__ */ new Map([
	["Pi", {
		re: pi,
		im: zero
	}],
	["e", {
		re: Real.exp(1),
		im: zero
	}],
	["ExponentialE", {
		re: Real.exp(1),
		im: zero
	}],
	["i", imaginary],
	["ImaginaryUnit", imaginary],
	["PositiveInfinity", real(Number.POSITIVE_INFINITY)],
	["NegativeInfinity", real(Number.NEGATIVE_INFINITY)]
]);
// src/graders/mathematics/read-latex.ts
let engine;
/** Only its parser is used: its arithmetic of complex numbers is wrong (1/(1+i)), and its sums have no bound. */
function openEngine() {
	const opened = new ComputeEngine();
	opened.latexDictionary = [...opened.latexDictionary, {
		latexTrigger: ["\\binom"],
		parse: (parser) => [
			"Binomial",
			parser.parseGroup() ?? "Nothing",
			parser.parseGroup() ?? "Nothing"
		]
	}];
	return opened;
}
/** Forgets the parser, whose state is unknown after it was interrupted. */
function dropParser() {
	engine = void 0;
}
/** Parses LaTeX as it is written, without computing anything. Undefined for what is no mathematics. */
function parseLatex(latex) {
	engine ??= openEngine();
	try {
		const node = engine.parse(latex, { canonical: false }).json;
		return hasError(node) || node === "Nothing" ? void 0 : node;
	} catch {
		return;
	}
}
const hasError = (node) => Array.isArray(node) && (node[0] === "Error" || node.some(hasError));
/** What is written in other forms than the parser knows, in the order in which it is replaced. */
const forms = [
	[/[−–]/g, "-"],
	[/·|\*(?!\*)/g, "\\cdot "],
	[/×/g, "\\times "],
	[/÷/g, "\\div "],
	[/±/g, "\\pm "],
	[/π/g, "\\pi "],
	[/∞/g, "\\infty "],
	[/∪/g, "\\cup "],
	[/∈/g, "\\in "],
	[/≤|\\leqslant|\\leq(?![A-Za-z])/g, "\\le "],
	[/≥|\\geqslant|\\geq(?![A-Za-z])/g, "\\ge "],
	[/∅/g, "\\emptyset "],
	[/½/g, "\\frac{1}{2}"],
	[/√\(([^()]*)\)/g, "\\sqrt{$1}"],
	[/√/g, "\\sqrt "],
	[/°|\\degree(?![A-Za-z])|\^\s*\{\s*\\circ\s*\}/g, "^\\circ "],
	[/\\\[|\\\]|(?<!\\)\\[()]|\\?\$|\*\*/g, " "],
	[/\{,\}/g, ","],
	[/(?<!\\)%/g, "\\%"],
	[/(?<=\d)(?:,\s?\\!\s?|\\,|,)(?=\d{3}(?!\d)(?!\s*[,)\]}]))/g, ","],
	[/\\(?:left|right|[bB]igg?[lr]?|displaystyle|limits|mathstrut)(?![A-Za-z])/g, " "],
	[/(?<!\\)\\[,;:!> ]|\\q?quad(?![A-Za-z])|[~\u00a0]/g, " "],
	[/\\langle(?![A-Za-z])/g, "("],
	[/\\rangle(?![A-Za-z])/g, ")"],
	[/\\(?:mathrm|mathit)\s*\{([A-Za-z])\}/g, "$1"],
	[/\\(?:mbox|hbox|textbf|textit|textrm|textnormal|mathrm|mathbf|operatorname\*?)(?=\s*\{[A-Za-z .]{2,60}\})/g, "\\text"],
	[/\\[dtc]frac(?![A-Za-z])/g, "\\frac"],
	[/\\sqrt\s*(\d)/g, "\\sqrt{$1}"],
	[/\\frac\s*(\d)\s*(\d)/g, "\\frac{$1}{$2}"],
	[/\\frac\s*([A-Za-z\d])(?=\s*\{)/g, "\\frac{$1}"],
	[/(\\frac\s*\{(?:[^{}]|\{[^{}]*\})*\})\s*([A-Za-z\d])/g, "$1{$2}"],
	[/_\s*([A-Za-z\d])/g, "_{$1}"],
	[/(?<![\d.^_A-Za-z])(\d{1,20})\s?\/\s?(\d{1,20})(?![\d.])/g, "\\frac{$1}{$2}"],
	[/(?<=\d) (?=\d{3}(?: \d{3})*$)/g, ""]
];
const scripts = {
	"⁰¹²³⁴⁵⁶⁷⁸⁹": "^",
	"₀₁₂₃₄₅₆₇₈₉": "_"
};
/**
* Writes LaTeX and plain text in the forms that the parser knows. `letters`: letters that are variables; other words are texts.
*/
function cleanLatex(text, letters) {
	let latex = text;
	for (const [digits, mark] of Object.entries(scripts)) latex = latex.replace(new RegExp(`[${digits}]+`, "g"), (found) => `${mark}{${[...found].map((one) => digits.indexOf(one)).join("")}}`);
	for (const [form, known] of forms) latex = latex.replace(form, known);
	return withTexts(latex.trim().replace(/(?<=.)\s*[.,;]$/, "").split(joins).map(withoutGroups).join(","), letters);
}
const joins = /\s*(?:,\s*)?(?:\\text\s*\{\s*(?:and|or)\s*\}|(?<![A-Za-z\\])(?:and|or)(?![A-Za-z])|;)\s*/;
/** Removes commas between groups of three digits, if they can be nothing else. */
const withoutGroups = (text) => text.replace(/^([-+]?\s?)(\d{1,3}(?:,\d{3})+)(?=$|[^\d,]*$|\.\d+)/, (_, sign, digits) => sign + digits.replaceAll(",", ""));
const functions = new Set("sin cos tan cot sec csc ln log exp sqrt pi arcsin arccos arctan infty infinity".split(" "));
/** Makes words that are no commands and no products of known letters texts. */
function withTexts(text, letters) {
	return text.split(/(\\(?:text|begin|end)\s*\{[^{}]*\}|\\[A-Za-z]+)/).map((part, i) => {
		if (i % 2 === 1) return part;
		return part.replace(/[A-Za-z]{2,}/g, (word) => {
			if (functions.has(word)) return word === "infinity" ? "\\infty " : `\\${word} `;
			return ![...word].every((letter) => letters.has(letter)) && (word.length > 3 || isUnit(word)) ? `\\text{${word}}` : word;
		});
	}).join("");
}
// src/graders/mathematics/answer-forms.ts
/**
* Reads an answer as mathematics. `letters`: those that are variables; other words are texts. `isUnit`: whether the words behind a value
* name its unit. Throws `Undecided` for what is no mathematics.
*/
function readForm(text, letters, isUnit) {
	const inPercent = /^(.*\d.*?)\s*(?:\\?%|\bpercent)\s*\.?$/s.exec(text)?.[1];
	const units = [];
	const latex = cleanLatex(inPercent ?? text, letters).replace(unitBehind, (found, words, power = "") => {
		if (isUnit(words)) units.push(`${words} ${power}`);
		return isUnit(words) ? "" : found;
	});
	if (/\d\s+\d/.test(latex)) throw new Undecided("has two numbers side by side");
	const pieces = latex.split(/\\cup(?![A-Za-z])/);
	if (pieces.length > 1) return {
		kind: "union",
		items: pieces.map(readPiece)
	};
	const form = readPiece(latex);
	if (form.kind !== "value") return form;
	const named = form.units.length > 0 ? form.units : units;
	return {
		...form,
		units: named,
		...inPercent !== void 0 && { percent: true }
	};
}
/** A text behind a value, such as `\text{ cm}^2`, at the end of an item. */
const unitBehind = /(?<=[\w)}\]]\s*)\\text\s*\{([^{}]*)\}\s*(?:\^\s*\{?\s*(\d)\s*\}?)?\s*(?=$|,|\\text|\\[})]|[)\]])/g;
const halfOpen = /^\s*(?:(?:[A-Za-z]|\\[a-z]+)\s*\\in\s*)?([[(])(.*)([\])])\s*$/s;
/** The parser knows no brackets that differ. */
function readPiece(latex) {
	const [, open = "", inner = "", close = ""] = halfOpen.exec(latex) ?? [];
	const isHalfOpen = open + close === "(]" || open + close === "[)";
	const node = parseLatex(isHalfOpen ? inner : latex);
	if (node === void 0) throw new Undecided("cannot be read as mathematics");
	if (!isHalfOpen) return formOf(node);
	const items = partsOf(node);
	if (items?.length !== 2) throw new Undecided("has brackets that differ");
	return {
		kind: "ordered",
		brackets: open + close,
		items: items.map(formOf)
	};
}
/** Returns the parts of a list with commas. */
function partsOf(node) {
	if (!Array.isArray(node)) return void 0;
	const [head, ...parts] = node;
	if (head === "Sequence") return parts;
	return head === "Delimiter" && parts[0] !== void 0 ? partsOf(parts[0]) : void 0;
}
/** Returns what an expression is. Throws `Undecided` for what is no answer. */
function formOf(node) {
	if (!Array.isArray(node)) return plainForm(node);
	const [head, ...parts] = node;
	const listed = partsOf(node);
	if (listed !== void 0) {
		const items = listed.map(formOf);
		return head === "Delimiter" && parts[1] === "'(,)'" ? {
			kind: "ordered",
			brackets: "()",
			items
		} : {
			kind: "values",
			items: items.flatMap(itemsOf)
		};
	}
	if (head === "Delimiter") return formOf(parts[0]);
	if (head === "List" && parts.length > 0 && parts.every((part) => Array.isArray(part) && part[0] === "List")) return matrixOf([node]);
	if (head === "List") return {
		kind: "ordered",
		brackets: "[]",
		items: parts.map(formOf)
	};
	if (head === "Set") return {
		kind: "values",
		items: parts.map(formOf).flatMap(itemsOf)
	};
	if (head === "Matrix") return matrixOf(parts);
	if (head === "Element" && parts.length === 2) return formOf(parts[1]);
	if (head === "Union") return {
		kind: "union",
		items: parts.map(formOf)
	};
	if (head === "Equal") return {
		kind: "equation",
		sides: sidesOf(node)
	};
	return inequalityOf(node) ?? plainForm(node);
}
const sidesOf = (node) => Array.isArray(node) && node[0] === "Equal" ? node.slice(1).flatMap(sidesOf) : [node];
/** Returns the values that an answer lists: both of a value with `\pm`. */
function itemsOf(form) {
	if (form.kind === "values") return form.items;
	const signs = form.kind === "value" ? countSigns(form.node) : 0;
	if (form.kind !== "value" || signs === 0) return [form];
	if (signs > 1) throw new Undecided("has more than one \\pm");
	return [1, -1].map((sign) => ({
		...form,
		node: [
			"Signed",
			sign,
			form.node
		]
	}));
}
/** Counts the `\\pm` of an expression for which no sign is chosen. */
function countSigns(node) {
	if (!Array.isArray(node) || node[0] === "Signed") return 0;
	const own = node[0] === "PlusMinus" || node[0] === "MinusPlus" ? 1 : 0;
	return node.reduce((sum, part) => sum + countSigns(part), own);
}
function matrixOf([list, marks]) {
	if (!Array.isArray(list) || marks === "'||'") throw new Undecided("has a determinant");
	return {
		kind: "matrix",
		rows: list.slice(1).map((row) => Array.isArray(row) ? row.slice(1).map(formOf) : [])
	};
}
const relations = /* @__PURE__ */ new Map([
	["Less", {
		strict: true,
		rising: true
	}],
	["LessEqual", {
		strict: false,
		rising: true
	}],
	["Greater", {
		strict: true,
		rising: false
	}],
	["GreaterEqual", {
		strict: false,
		rising: false
	}]
]);
/** Reads an inequality. A name between two bounds stands for their interval. */
function inequalityOf(node) {
	const { terms, between } = chainOf(node);
	const [first, second = first] = between;
	if (first === void 0 || second === void 0) return void 0;
	const [left, middle, right] = first.rising ? terms : terms.toReversed();
	const bound = right === void 0 ? boundOf(left, middle, first.strict) : void 0;
	if (bound !== void 0) return bound;
	if (right === void 0) return {
		kind: "inequality",
		node: [
			"Subtract",
			middle,
			left
		],
		strict: first.strict
	};
	if (terms.length > 3 || first.rising !== second.rising || !isNamed(middle)) throw new Undecided("has a chain of inequalities");
	const [low, high] = first.rising ? [first, second] : [second, first];
	return {
		kind: "ordered",
		brackets: `${low.strict ? "(" : "["}${high.strict ? ")" : "]"}`,
		items: [left, right].map(formOf)
	};
}
/** The interval of a name with one bound, such as `x > 3`. */
function boundOf(left, right, strict) {
	const names = /* @__PURE__ */ new Set();
	addVariables(isNamed(left) ? right : left, names);
	if (isNamed(left) === isNamed(right) || names.size > 0) return void 0;
	const infinity = (node) => ({
		kind: "value",
		node,
		units: []
	});
	return isNamed(left) ? {
		kind: "ordered",
		brackets: strict ? "()" : "(]",
		items: [infinity(["Negate", "PositiveInfinity"]), formOf(right)]
	} : {
		kind: "ordered",
		brackets: strict ? "()" : "[)",
		items: [formOf(left), infinity("PositiveInfinity")]
	};
}
/** Whether a node is a variable, or a function of one. */
const isNamed = (node) => symbolName(node) !== void 0 || isCall(node);
/** Whether a node is a function with its argument, such as `f(x)`. */
const isCall = (node) => Array.isArray(node) && node.length === 3 && node[0] === "InvisibleOperator" && symbolName(node[1]) !== void 0 && Array.isArray(node[2]) && node[2][0] === "Delimiter";
/** Returns the terms of a chain such as `1 < x \le 2`, whose parts the parser nests. */
function chainOf(node) {
	const relation = Array.isArray(node) ? relations.get(node[0]) : void 0;
	if (relation === void 0) return {
		terms: [node],
		between: []
	};
	const parts = node.slice(1).map(chainOf);
	return {
		terms: parts.flatMap(({ terms }) => terms),
		between: parts.flatMap(({ between }, i) => i === 0 ? between : [relation, ...between])
	};
}
const sets = /* @__PURE__ */ new Set([
	"EmptySet",
	"RealNumbers",
	"Integers",
	"NaturalNumbers",
	"RationalNumbers",
	"ComplexNumbers"
]);
/** Reads a value, a number in another base, or a name. */
function plainForm(node) {
	if (typeof node === "string" && (node.startsWith("'") || sets.has(node))) return {
		kind: "name",
		name: node
	};
	if (!Array.isArray(node)) return {
		kind: "value",
		node,
		units: []
	};
	const [head, ...parts] = node;
	if (head === "Degrees") return {
		kind: "value",
		node: parts[0],
		units: ["degrees"]
	};
	const [digits, base] = [numberOf(parts[0]), numberOf(parts[1])];
	if (head === "Subscript" && digits !== void 0 && base !== void 0) return {
		kind: "value",
		node: parts[0],
		units: [],
		base
	};
	return {
		kind: "value",
		node,
		units: []
	};
}
// src/graders/mathematics/compare-answers.ts
/** Returns whether two answers have the same meaning. Throws `Undecided` if neither can be shown. */
function meanTheSame(expected, said) {
	const wanted = readForm(expected, /* @__PURE__ */ new Set(), () => true);
	return equal(wanted, readForm(said, variablesOf(nodesOf(wanted)), isUnitOf(expected)));
}
/** A reply may name any unit that is known, and what the expected answer names; other words may change a value. */
const isUnitOf = (expected) => (words) => isUnit(words) || words.trim() !== "" && expected.toLowerCase().includes(words.trim().toLowerCase());
function nodesOf(form) {
	if (form.kind === "value" || form.kind === "inequality") return [form.node];
	if (form.kind === "equation") return form.sides;
	if (form.kind === "name") return [];
	return (form.kind === "matrix" ? form.rows.flat() : form.items).flatMap(nodesOf);
}
function equal(wanted, said) {
	if (wanted.kind === "equation" && said.kind === "equation") return sameEquation(wanted.sides, said.sides);
	if (wanted.kind === "equation") return isDefinition(wanted.sides) && equal(valueIn(wanted.sides), said);
	if (said.kind === "equation") return !isStandardForm(said.sides) && equal(wanted, valueIn(said.sides));
	const [several, others] = [itemsOf(wanted), itemsOf(said)];
	if (several.length !== 1 || others.length !== 1) return sameItems(several, others);
	const [one, other] = [several[0], others[0]];
	if (one.kind === "name" && other.kind === "name") return wordsOf(one.name) === wordsOf(other.name);
	if (one.kind === "value" && other.kind === "value") return sameValue(one, other);
	if (one.kind === "matrix" && other.kind === "ordered" && other.brackets === "()") return one.rows.every(({ length }) => length === 1) && inOrder(one.rows.flat(), other.items);
	if (one.kind === "matrix" && other.kind === "matrix") return one.rows.length === other.rows.length && one.rows.every((row, i) => inOrder(row, other.rows[i] ?? []));
	if (one.kind === "ordered" && other.kind === "ordered") return one.brackets === other.brackets && inOrder(one.items, other.items);
	if (one.kind === "union" && other.kind === "union") return sameItems(one.items, other.items);
	if (one.kind === "equation" || other.kind === "equation") return equal(one, other);
	if (one.kind === "inequality" && other.kind === "inequality") return one.strict === other.strict && (ratioOf(one.node, other.node)?.gt(0) ?? false);
	return false;
}
const wordsOf = (name) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
const inOrder = (wanted, said) => wanted.length === said.length && wanted.every((item, i) => equal(item, said[i]));
function sameItems(wanted, said) {
	if (wanted.length !== said.length) return false;
	const left = [...said];
	return wanted.every((item) => {
		const at = left.findIndex((other) => equal(item, other));
		if (at >= 0) left.splice(at, 1);
		return at >= 0;
	});
}
const isName = (node) => symbolName(node) !== void 0;
/** Whether an equation only names a value, as `x = 5` and `f(x) = 2x` do, and `y = 2x` does not. */
function isDefinition(sides) {
	const [first, last] = [sides[0], sides.at(-1)];
	return isCall(first) || (isName(first) || isName(last)) && variablesOf([valueSide(sides)]).size === 0;
}
const valueSide = (sides) => {
	const [first, last] = [sides[0], sides.at(-1)];
	return isName(last) && !isName(first) && !isCall(first) ? first : last;
};
/** Whether an equation is one such as `2x - y + 3 = 0`, which gives no value. */
const isStandardForm = (sides) => numberOf(sides.at(-1)) === "0" && Array.isArray(sides[0]) && sides[0][0] === "Add" && variablesOf(sides).size > 0;
const valueIn = (sides) => formOf(valueSide(sides));
/** Equations mean the same if one is the other times a constant. */
function sameEquation(wanted, said) {
	const [one, other] = [wanted, said].map((sides) => [
		"Subtract",
		sides[0],
		sides.at(-1)
	]);
	return ratioOf(one, other) !== void 0;
}
/** Returns the real constant that one expression is of another; undefined if there is none. */
function ratioOf(one, other) {
	let ratio;
	return holdsEverywhere(one, other, (a, b) => {
		const here = divide(a, b);
		ratio ??= here;
		return isDefined(here) && areClose(here, ratio);
	}) && ratio && isReal(ratio) && !ratio.re.isZero() ? ratio.re : void 0;
}
function sameValue(wanted, said) {
	if (wanted.base !== said.base || unitsDiffer(wanted.units, said.units)) return false;
	return readingsOf(said).some((node) => sameNumber(wanted.node, node)) || readingsOf(wanted).some((node) => sameNumber(node, said.node));
}
/** Returns the values that a number may stand for: `10\%` is 10 and 0.1, and `90^\circ` is 90 and half of pi. */
const readingsOf = ({ node, units, percent }) => [
	node,
	...percent ? [[
		"Divide",
		node,
		100
	]] : [],
	...units.some((unit) => /degree/.test(unit)) ? [["Degrees", node]] : []
];
function sameNumber(wanted, said) {
	const [digits, exact] = longDecimal(said) ? [said, wanted] : [wanted, said];
	const step = decimalIn(exact) ? void 0 : longDecimal(digits);
	return holdsEverywhere(wanted, said, (a, b) => areClose(a, b) || (step?.gte(distanceOf(a, b)) ?? false));
}
const decimalIn = (node) => (numberOf(node)?.includes(".") ?? false) || Array.isArray(node) && node.some(decimalIn);
/** A decimal fraction of 15 digits and more stands for a value with endless decimals: returns the size of its last digit. */
function longDecimal(node) {
	if (Array.isArray(node) && node[0] === "Negate") return longDecimal(node[1]);
	const [, whole = "", decimals = ""] = /^(\d+)\.(\d+)$/.exec(numberOf(node) ?? "") ?? [];
	return `${whole}${decimals}`.replace(/^0+/, "").length >= 15 ? new Real(10).pow(-decimals.length) : void 0;
}
const tolerance = new Real("1e-70");
const noise = new Real("1e-90");
const distanceOf = (a, b) => modulus(add(a, negate(b)));
/** Whether values are equal in as many digits as are computed. */
function areClose(a, b) {
	if (!isDefined(a) || !isDefined(b)) return a.re.eq(b.re) && a.im.eq(b.im);
	const distance = distanceOf(a, b);
	return distance.lte(noise) || distance.lte(tolerance.times(Real.max(modulus(a), modulus(b))));
}
function variablesOf(nodes) {
	const names = /* @__PURE__ */ new Set();
	for (const node of nodes) addVariables(node, names);
	return names;
}
const mostVariables = 8;
const points = 12;
/**
* Whether a relation of two expressions holds: for their values, or at each of twelve points if they have variables. A point where
* neither has a value does not count.
*/
function holdsEverywhere(one, other, relation) {
	const names = [...variablesOf([one, other])].sort();
	if (names.length > mostVariables) throw new Undecided(`has more than ${mostVariables} variables`);
	const count = names.length === 0 ? 1 : points;
	let [known, onlyOne] = [0, 0];
	for (let point = 0; point < count; point++) {
		const values = new Map(names.map((name, i) => [name, coordinate(point, i)]));
		const [a, b] = [one, other].map((node) => evaluate(node, {
			values,
			sign: 1
		}));
		const missing = [a, b].filter(({ re }) => re.isNaN()).length;
		if (missing === 0 && !relation(a, b)) return false;
		if (missing === 0) known++;
		if (missing === 1) onlyOne++;
	}
	if (known * 2 <= count) throw new Undecided("has no value, or one that is too large to compute");
	return onlyOne === 0;
}
/** Irrational, and other for each variable, so that only identities hold at all points. Signs are drawn, so that no product keeps its. */
function coordinate(point, variable) {
	const size = new Real(2 + 11 * point + 5 * variable).sqrt().plus("0.1").div(1 + point);
	const isNegative = seededRandom(`sign/${point}/${variable}`)() < .5;
	return real(isNegative ? size.neg() : size);
}
// src/graders/mathematics/math.ts
/** Passes if the final answer means what the expected answer means, as mathematics. */
const math = ({ spec, task, answer }) => {
	const expected = requireExpectedAnswer(spec, task);
	if (letterOf(expected) !== void 0) return gradeLetter(expected, spec, answer);
	const found = readMathAnswer(answer, spec.extract);
	if (!found) return emptyAnswerScore(spec.name);
	const problem = whyUnequal(expected, found.text, found.force !== void 0);
	const shown = JSON.stringify(found.text.length > 200 ? `${found.text.slice(0, 200)}…` : found.text);
	return binaryScore(spec.name, problem === void 0, `${shown} ${problem ?? "is right"}`);
};
/** Returns the letter of an option that is the whole answer: `\\text{(E)}`. */
const letterOf = (expected) => /^\(([A-J])\)$/.exec(stripMarkup(expected))?.[1];
const letters = [..."ABCDEFGHIJ"];
function gradeLetter(expected, { name, extract }, answer) {
	const found = readChoice(answer, letters, extract);
	if (!found) return emptyAnswerScore(name);
	const [, marked] = /^\(?([A-J])[).:]\s/.exec(found.text) ?? [];
	const right = (found.index === void 0 ? marked : letters[found.index]) === letterOf(expected);
	return binaryScore(name, right, `${JSON.stringify(found.text.slice(0, 200))} is ${right ? "right" : "not the answer"}`);
}
const longest = 400;
const deepest = 40;
const timeoutMs = 5e3;
/** Returns why an answer is not equal to the expected one; undefined if it is. Bounded in time and memory, whatever the texts are. */
function whyUnequal(expected, said, isAnnounced = true) {
	const [wanted, given] = [expected, said].map(stripMarkup);
	if (sameWords(wanted, given)) return void 0;
	for (const text of [wanted, given]) {
		if (text.length > longest) return `is not compared: more than ${longest} characters`;
		if (depthOf(text) > deepest) return `is not compared: nested more than ${deepest} deep`;
	}
	try {
		if (inTime(() => meanTheSame(wanted, given))) return void 0;
		return !given.includes("=") && sayTheSameNumber(wanted, given, isAnnounced) ? void 0 : "is not the answer";
	} catch (error) {
		if (!(error instanceof Undecided)) throw error;
		if (sayTheSameNumber(wanted, given, isAnnounced)) return void 0;
		return `is not the answer as a text, and as mathematics it ${error.message}`;
	}
}
function depthOf(text) {
	let [depth, most] = [0, 0];
	for (const sign of text) if (/[{([|^]/.test(sign)) most = Math.max(most, ++depth);
	else if (/[})\]]/.test(sign)) depth--;
	return most;
}
const program = new Script("compare()");
const sandbox = createContext({});
/** Ends what takes more than five seconds. The bounds of the texts keep comparisons far below. */
function inTime(compare) {
	sandbox.compare = compare;
	try {
		return program.runInContext(sandbox, { timeout: timeoutMs });
	} catch (error) {
		if (!isLimit(error)) throw error;
		dropParser();
		throw new Undecided("is more than can be computed");
	}
}
/** Whether time, the stack or the digits of a number were not enough. */
const isLimit = (error) => error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT" || error.name === "RangeError" || error.message.startsWith("[DecimalError]");
const wrapped = /\\(?:text|mbox|hbox|mathrm|textbf|textrm|textit|operatorname)\s*\{([^{}]*)\}/g;
/** Whether two texts are the same but for spaces; words also but for capital letters. */
function sameWords(expected, said) {
	const [wanted, given] = [expected, said].map((text) => stripMarkup(text.replace(wrapped, "$1")).replace(/\.$/, ""));
	const [one, other] = [wanted, given].map((text) => text.replace(/(?<!\d)\s+|\s+(?!\d)/g, ""));
	if (one === other) return true;
	return /^(?=.*\p{L}{2})[\p{L}\d\s',.-]+$/u.test(wanted) && wanted.toLowerCase() === given.toLowerCase();
}
const plainNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/;
/** Whether a sentence names one number, and the expected one. */
function sayTheSameNumber(expected, said, isAnnounced) {
	const words = said.replace(/\\[A-Za-z]+/g, "");
	if (!plainNumber.test(expected) || !/[A-Za-z]/.test(words)) return false;
	const picked = pickNumber(said, isAnnounced);
	if (!("number" in picked) || !picked.number.values.includes(Number(expected))) return false;
	return /[A-Za-z]{2}/.test(words) || !/[A-Za-z]/.test(picked.number.text);
}
// src/replies/thoughts.ts
/**
* Returns a reply without the thoughts that some servers leave in it: from `<think>` to `</think>`, up to a `</think>` that was never
* opened, and from a `<think>` that is never closed; so with the marks and channels of other models. Marks in code and in data of the
* answer stay. A reply without thoughts comes back as it is. The ledger keeps the whole reply.
*/
function withoutThoughts(reply) {
	const text = finalChannel(reply);
	let rest = "";
	let from = 0;
	const add = (end) => {
		const part = text.slice(from, end);
		rest += /[`~]{3}[ \t]*$/.test(rest.slice(-100)) && /^\S/.test(part) ? `\n${part}` : part;
	};
	for (const { kind, start, end } of scanReply(text).regions) {
		if (kind !== "thoughts") continue;
		add(start);
		from = end;
	}
	if (from === 0) return text;
	add(text.length);
	return rest.replace(/^(?:[ \t]*\n)+/, "");
}
const unquoted = "(?<!(?<!``)`|['\"])";
const channelMark = new RegExp(`${unquoted}<\\|channel\\|>\\s?(\\w{1,20})[^\\n<]{0,200}(?:<\\|constrain\\|>[^\\n<]{0,50})?<\\|message\\|>`, "g");
const messageEnd = new RegExp(`${unquoted}<\\|(?:end|return|call|start)\\|>`);
const bareFinalMark = new RegExp(`${unquoted}assistantfinal(?!['"]|\`(?!\`\`))`, "g");
/**
* Returns the final message of a reply that has channels, as gpt-oss and Granite write them: what follows
* `<|channel|>final<|message|>`, `assistantfinal` where the server has dropped the marks, and `Here is my response:`. Empty if the
* channels hold no final message. Any other reply is returned as it is.
*/
function finalChannel(reply) {
	if (/^\s*(?:<\|start\|>assistant\s*)?<\|channel\|>/.test(reply)) return [...reply.matchAll(channelMark)].flatMap((mark, i, marks) => {
		const message = reply.slice(mark.index + mark[0].length, marks[i + 1]?.index);
		return mark[1] === "final" ? [message.split(messageEnd, 1)[0]] : [];
	}).join("\n");
	const last = /^analysis(?=[A-Z"\n`~ ])/.test(reply) ? [...reply.matchAll(bareFinalMark)].at(-1) : void 0;
	return last ? reply.slice(last.index + last[0].length) : graniteFinal(reply);
}
function graniteFinal(reply) {
	let rest = reply;
	while (/^\s*(?:Here is|Here's) my thought process:/i.test(rest)) {
		const first = /^(?:[`~]{3,}[ \t]*)?(?:Here is|Here's) my response:[ \t]*\n?/im.exec(rest);
		if (first === null) return rest;
		rest = rest.slice(first.index + first[0].length);
	}
	return rest;
}
// src/replies/clean-data.ts
/**
* Returns a text as it is kept: line ends are `\n`, byte order marks at its start are gone, and half of a surrogate pair, which no
* UTF-8 file can hold, is U+FFFD. Every text of an agent passes here once, before it is journaled.
*/
function cleanText(text) {
	return wellFormedText(text.replace(/^\uFEFF+/, "").replace(/\r\n?/g, "\n"));
}
const firstHalf = "u[dD][89abAB][\\da-fA-F]{2}";
const secondHalf = "u[dD][c-fC-F][\\da-fA-F]{2}";
new RegExp(`\\\\(?:${firstHalf}\\\\${secondHalf}|(${firstHalf}|${secondHalf})|[\\s\\S])`, "g");
/** Returns a text in which U+FFFD replaces half of a surrogate pair: no UTF-8 file can hold it, servers refuse it, and `jq` cannot read it. */
function wellFormedText(text) {
	return text.toWellFormed();
}
// .a45/entry.ts
const graders = {
	choice,
	exact,
	numeric,
	math
};
const [, , input, output] = process.argv;
const out = createWriteStream(output);
for await (const line of createInterface({ input: createReadStream(input) })) {
	const d = JSON.parse(line);
	const answer = withoutThoughts(cleanText(d.reply));
	let score;
	const spec = {
		kind: d.kind,
		name: d.kind,
		options: d.options ?? void 0,
		tolerance: 0,
		ignoreCase: true,
		answer: d.expected,
		decimal: "point"
	};
	try {
		score = await graders[d.kind]({
			spec,
			answer,
			task: {
				ref: "x",
				instruction: d.question,
				spec: {},
				solution: {
					answer: d.expected,
					files: { "answer.txt": d.expected }
				}
			},
			run: null
		});
	} catch (e) {
		score = {
			passed: null,
			reason: String(e)
		};
	}
	out.write(JSON.stringify({
		c: d.corpus,
		id: d.id,
		label: d.label,
		passed: score.value === 1,
		reason: score.reason ?? score.notes ?? JSON.stringify(score)
	}) + "\n");
}
export {};
