import { baseline, methodOf, methods, trials } from './data.mjs'
import { button, byId, element, mark, option } from './dom.mjs'
import { contentsOf } from './pair-contents.mjs'
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
    ...tasks.map((task) => option(`${task}: ${passesOf(task, a)} and ${passesOf(task, b)} passed`, task)),
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
  byId('pair-result').replaceChildren(sideTable(sides), ...(whole ? contentsOf(sides) : []))
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

/** Gives the other choice the first other method, if both are the same. */
function keepTwo(other) {
  if (select.a.value === select.b.value)
    select[other].value = methods.find((method) => method !== select[other].value)
}

/** Shows a task under two methods. Returns the names that the page does not have, and then shows nothing else. */
export function choosePair(task, a, b, wantedEpoch) {
  const unknown = [
    ...[task].filter((name) => name && !tasks.includes(name)),
    ...[a, b].filter((name) => name && !methods.includes(name)),
  ]
  if (unknown.length > 0) return unknown
  for (const [name, value] of Object.entries({ a, b, task })) if (value) select[name].value = value
  keepTwo('b')
  labelTasks()
  epoch = wantedEpoch
  showPair()
  return []
}

if (methods.length > 1) {
  for (const name of ['a', 'b']) select[name].append(...methods.map((method) => option(method, method)))
  select.a.value = methods[0]
  select.b.value = methods[baseline > 0 ? baseline : 1]
  select.task.value = labelTasks()
  showPair()
  byId('pair-choice').addEventListener('change', ({ target }) => {
    epoch = undefined
    keepTwo(target === select.b ? 'a' : 'b')
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
