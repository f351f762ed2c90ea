import { run, trials } from './data.mjs'
import { diffLines } from './diff.mjs'
import { byId, element, mark } from './dom.mjs'

let handedIn
const delivered = (index) => {
  handedIn ??= JSON.parse(byId('handed-in').textContent)
  return handedIn.trials[index]
}
const leftOut = Symbol('left out')
const textAt = (place) => (place === null ? null : place < 0 ? leftOut : handedIn.texts[place])
const commandOf = (sides) =>
  `bench show ${run} --task '${trials[sides[0].index].task}' --methods '${sides.map(({ method }) => method).join(',')}'`

/** Returns the message for a text that the page does not hold. */
const absent = (sides) => {
  const made = element(
    'p',
    'The page leaves out this text to limit its size, or it is not stored. In a terminal: ',
  )
  made.append(element('code', commandOf(sides)))
  return made
}

/** Returns what two trials handed in, and what their graders say, side by side. */
export function contentsOf(sides) {
  const [a, b] = sides.map(({ index }) => delivered(index))
  if (!a || !b) return [absent(sides)]
  const verdicts = sides.map((side) => verdictCard(side, sides))
  const cards = element('div', undefined, 'sides')
  cards.append(...verdicts)
  return [cards, ...deliveries(sides, a, b)]
}

function verdictCard({ method, index }, sides) {
  const { answer, verdicts } = delivered(index)
  const card = element('section')
  const heading = element('h3', method)
  heading.append(mark(trials[index].passed))
  card.append(heading)
  for (const place of verdicts) card.append(...verdictOf(textAt(place), sides))
  const text = textAt(answer)
  if (text === leftOut) card.append(element('h4', 'Answer'), absent(sides))
  else if (text !== null) card.append(element('h4', 'Answer'), block(text))
  return card
}

function verdictOf(text, sides) {
  if (text === leftOut) return [absent(sides)]
  const [first, ...rest] = text.split('\n')
  return [element('p', first), ...(rest.length > 0 ? [block(rest.join('\n'))] : [])]
}

function deliveries(sides, a, b) {
  const legend = element('p', undefined, 'legend')
  legend.append(
    element('span', `- only ${sides[0].method}`, 'removed'),
    ' ',
    element('span', `+ only ${sides[1].method}`, 'added'),
  )
  if (a.answer !== null || b.answer !== null) {
    const texts = [textAt(a.answer), textAt(b.answer)]
    if (texts.includes(leftOut)) return []
    if (texts[0] === texts[1]) return [element('p', 'Both gave the same answer.')]
    return [element('h4', 'Diff of the answers'), legend, diffOf(...texts)]
  }
  if (!a.files || !b.files)
    return [
      element(
        'p',
        'The journal does not tell which files were handed in at the end; the stories of the trials show their changes.',
      ),
    ]
  const [ofA, ofB] = [a, b].map(({ files }) => new Map(files.map(([path, ...texts]) => [path, texts])))
  const paths = [...new Set([...ofA.keys(), ...ofB.keys()])].sort()
  if (paths.length === 0) return [element('p', 'Both handed in nothing.')]
  const parts = paths.map((path) => fileOf(path, ofA.get(path), ofB.get(path), sides))
  return [element('h4', 'Files'), legend, ...parts]
}

/** Shows a file of both. A trial that did not change it has the text of the beginning. */
function fileOf(path, ofA, ofB, sides) {
  const a = textAt(ofA ? ofA[1] : ofB[0])
  const b = textAt(ofB ? ofB[1] : ofA[0])
  const who = ofA && ofB ? '' : `, changed by ${sides[ofA ? 0 : 1].method} alone`
  if (a === leftOut || b === leftOut) {
    const part = absent(sides)
    part.prepend(element('code', path), ': ')
    return part
  }
  if (a === b) return element('p', `${path}: the same in both`, 'part')
  const details = element('details')
  details.open = true
  details.append(element('summary', `${path}${who}`), diffOf(a, b))
  return details
}

/** A block that scrolls, also by keyboard. */
function block(text, className) {
  const pre = element('pre', text, className)
  pre.tabIndex = 0
  return pre
}

function diffOf(a, b) {
  const pre = block(undefined, 'diff')
  const kinds = { '+': 'added', '-': 'removed', '~': 'far' }
  for (const [sign, text] of diffLines(a, b))
    pre.append(element('span', sign === '~' ? `  … ${text} …\n` : `${sign} ${text}\n`, kinds[sign]))
  if (!pre.hasChildNodes()) pre.append('the same but for the line feed at the end')
  return pre
}
