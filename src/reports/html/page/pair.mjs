import { diffLines } from './diff.mjs'
import { baseline, button, byId, element, mark, methodOf, methods, run, trials } from './dom.mjs'
import { count, score, seconds, shown, usd } from './values.mjs'

const select = { task: byId('pair-task'), a: byId('pair-a'), b: byId('pair-b') }
const keyOf = (task, method) => `${task}\n${method}`
/** Places of the trials of a task under a method, by epoch. */
const byCell = new Map()
trials.forEach((trial, index) => {
  const key = keyOf(trial.task, methodOf(trial))
  if (!byCell.has(key)) byCell.set(key, new Map())
  byCell.get(key).set(trial.epoch, index)
})
const cellOf = (task, method) => byCell.get(keyOf(task, method)) ?? new Map()
const tasks = [...new Set(trials.map(({ task }) => task))].sort()

let handedIn
const delivered = (index) => {
  handedIn ??= JSON.parse(byId('handed-in').textContent)
  return handedIn.trials[index]
}
const leftOut = Symbol('left out')
const textAt = (place) => (place === null ? null : place < 0 ? leftOut : handedIn.texts[place])
const command = () =>
  `bench show ${run} --task '${select.task.value}' --methods '${select.a.value},${select.b.value}'`

const epochsOf = (task, a, b) =>
  [...new Set([...cellOf(task, a).keys(), ...cellOf(task, b).keys()])].sort((x, y) => x - y)
const passesOf = (task, method) => {
  const own = [...cellOf(task, method).values()].map((index) => trials[index])
  return `${own.filter(({ passed }) => passed === 'passed').length}/${own.length}`
}
const differsIn = (task, a, b) => (field) =>
  epochsOf(task, a, b).find((epoch) => {
    const [x, y] = [cellOf(task, a).get(epoch), cellOf(task, b).get(epoch)]
    return x !== undefined && y !== undefined && trials[x][field] !== trials[y][field]
  })

/** Shows with each task how many epochs passed, and returns the first task on which the two methods differ. */
function labelTasks() {
  const [a, b] = [select.a.value, select.b.value]
  const chosen = select.task.value
  select.task.replaceChildren(
    ...tasks.map((task) => new Option(`${task}: ${passesOf(task, a)} and ${passesOf(task, b)} passed`, task)),
  )
  select.task.value = tasks.includes(chosen) ? chosen : ''
  return tasks.find((task) => differsIn(task, a, b)('passed') !== undefined) ?? tasks[0]
}

let epoch
function showPair() {
  const [task, a, b] = [select.task.value, select.a.value, select.b.value]
  const epochs = epochsOf(task, a, b)
  if (!epochs.includes(epoch)) {
    const first = differsIn(task, a, b)
    epoch = first('passed') ?? first('score') ?? epochs[0]
  }
  showEpochs(task, [a, b], epochs)
  const sides = [a, b].map((method) => ({ method, index: cellOf(task, method).get(epoch) }))
  const whole = sides.every(({ index }) => index !== undefined)
  byId('pair-result').replaceChildren(
    ...(a === b ? [element('p', 'Choose two methods.')] : []),
    sideTable(sides),
    ...(whole ? contentsOf(sides) : []),
  )
}

function showEpochs(task, pair, epochs) {
  const buttons = epochs.map((one) => {
    const made = button(`epoch ${one} `, undefined, () => {
      epoch = one
      showPair()
      byId('pair-epochs').querySelector('[aria-pressed="true"]').focus()
    })
    made.setAttribute('aria-pressed', String(one === epoch))
    for (const method of pair) {
      const index = cellOf(task, method).get(one)
      made.append(index === undefined ? '?' : mark(trials[index].passed, true))
    }
    return made
  })
  byId('pair-epochs').replaceChildren(...(epochs.length > 1 ? buttons : []))
}

function sideTable(sides) {
  const names = ['method', 'result', 'score, %', 'cost', 'tokens', 'time', 'ended', 'trial']
  const table = element('table')
  const head = element('tr')
  const isNumber = (at) => (at >= 2 && at <= 5 ? 'right' : 'left')
  head.append(...names.map((name, at) => element('th', name, isNumber(at))))
  table.createTHead().append(head)
  table.createTBody().append(
    ...sides.map(({ method, index }) => {
      const row = element('tr')
      row.append(element('th', method))
      if (index === undefined) {
        row.append(element('td', 'no trial has ended'))
        return row
      }
      const trial = trials[index]
      const link = element('a', trial.id.slice(0, 12))
      link.href = `#trial=${trial.id}`
      const cells = [
        mark(trial.passed),
        score(trial.score),
        shown(trial.costUsd, usd),
        shown(trial.tokens, (value) => count.format(value)),
        seconds(trial.ms),
        trial.outcome,
        link,
      ]
      row.append(
        ...cells.map((content, at) => {
          const cell = element('td', undefined, isNumber(at + 1))
          cell.append(content)
          return cell
        }),
      )
      return row
    }),
  )
  const scroll = element('div', undefined, 'scroll')
  scroll.tabIndex = 0
  scroll.append(table)
  return scroll
}

const absent = () => {
  const made = element(
    'p',
    'The page leaves out this text to limit its size, or it is not stored. In a terminal: ',
  )
  made.append(element('code', command()))
  return made
}

function contentsOf(sides) {
  const [a, b] = sides.map(({ index }) => delivered(index))
  if (!a || !b) return [absent()]
  const verdicts = sides.map(verdictCard)
  const cards = element('div', undefined, 'sides')
  cards.append(...verdicts)
  return [cards, ...deliveries(sides, a, b)]
}

function verdictCard({ method, index }) {
  const { answer, verdicts } = delivered(index)
  const card = element('section')
  const heading = element('h3', method)
  heading.append(mark(trials[index].passed))
  card.append(heading)
  for (const place of verdicts) card.append(...verdictOf(textAt(place)))
  const text = textAt(answer)
  if (text === leftOut) card.append(element('h4', 'Answer'), absent())
  else if (text !== null) card.append(element('h4', 'Answer'), element('pre', text))
  return card
}

function verdictOf(text) {
  if (text === leftOut) return [absent()]
  const [first, ...rest] = text.split('\n')
  return [element('p', first), ...(rest.length > 0 ? [element('pre', rest.join('\n'))] : [])]
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
    const part = absent()
    part.prepend(element('code', path), ': ')
    return part
  }
  if (a === b) return element('p', `${path}: the same in both`, 'part')
  const details = element('details')
  details.open = true
  details.append(element('summary', `${path}${who}`), diffOf(a, b))
  return details
}

function diffOf(a, b) {
  const pre = element('pre', undefined, 'diff')
  const kinds = { '+': 'added', '-': 'removed', '~': 'far' }
  for (const [sign, text] of diffLines(a, b))
    pre.append(element('span', sign === '~' ? `  … ${text} …\n` : `${sign} ${text}\n`, kinds[sign]))
  if (!pre.hasChildNodes()) pre.append('the same but for the line feed at the end')
  return pre
}

/** Shows a task under two methods; names that the page does not have are left as they were. */
export function choosePair(task, a, b, wantedEpoch) {
  for (const [name, value] of [
    ['a', a],
    ['b', b],
    ['task', task],
  ])
    if (value && [...select[name].options].some((option) => option.value === value))
      select[name].value = value
  labelTasks()
  epoch = wantedEpoch
  showPair()
}

if (methods.length > 1) {
  for (const name of ['a', 'b']) select[name].append(...methods.map((method) => new Option(method, method)))
  select.a.value = methods[0]
  select.b.value = methods[baseline > 0 ? baseline : 1]
  select.task.value = labelTasks()
  showPair()
  byId('pair-choice').addEventListener('change', ({ target }) => {
    epoch = undefined
    if (target !== select.task) labelTasks()
    showPair()
    history.replaceState(
      null,
      '',
      `#pair=${[select.task.value, select.a.value, select.b.value].map(encodeURIComponent).join(';')}`,
    )
  })
  byId('pair-choice').addEventListener('submit', (event) => event.preventDefault())
}
