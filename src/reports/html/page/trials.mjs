import { trials } from './data.mjs'
import { button, byId, element, mark, option } from './dom.mjs'
import { toggleSort } from './tables.mjs'
import { count, score, seconds, shown, sorted, usd } from './values.mjs'

const pageSize = 200
const severalAgents = new Set(trials.map(({ agents }) => agents)).size > 1
const columns = [
  ['task', 'task', (trial) => trial.task],
  ['method', 'method', (trial) => trial.method],
  ...(severalAgents ? [['agents', 'agents', (trial) => trial.agents]] : []),
  ['epoch', 'epoch', (trial) => String(trial.epoch), 'right'],
  ['outcome', 'ended', (trial) => trial.outcome],
  ['passed', 'result', (trial) => trial.passed],
  ['score', 'score, %', (trial) => score(trial.score), 'right'],
  ['tokens', 'tokens', (trial) => shown(trial.tokens, (value) => count.format(value)), 'right'],
  ['costUsd', 'cost', (trial) => shown(trial.costUsd, usd), 'right'],
  ['calls', 'calls', (trial) => String(trial.calls), 'right'],
  ['iterations', 'iterations', (trial) => String(trial.iterations), 'right'],
  ['ms', 'time', (trial) => seconds(trial.ms), 'right'],
]

const table = byId('trial-table')
const headings = element('tr')
for (const [, heading, , align] of columns) {
  const cell = element('th', undefined, align ?? 'left')
  cell.scope = 'col'
  cell.append(button(heading, 'sort'))
  headings.append(cell)
}
table.tHead.append(headings)

const selects = [...byId('filters').querySelectorAll('select')]
for (const select of selects) {
  const values = [...new Set(trials.map((trial) => trial[select.dataset.field]))].sort()
  select.append(...values.map((value) => option(value, value)))
  select.parentElement.hidden = values.length < 2
}

let order = trials
let limit = pageSize

/** Returns the trials that the filters leave, in the order of the table. */
export function listed() {
  const wanted = selects
    .filter(({ value }) => value !== '')
    .map(({ value, dataset }) => [dataset.field, value])
  return order.filter((trial) => wanted.every(([field, value]) => trial[field] === value))
}

function rowOf(trial) {
  const row = element('tr')
  const [[, , name], ...others] = columns
  const cell = element('th')
  cell.scope = 'row'
  const opener = button(name(trial), 'open')
  opener.dataset.trial = trial.id
  cell.append(opener)
  row.append(cell, ...others.map((column) => cellOfTrial(trial, column)))
  return row
}

function cellOfTrial(trial, [field, , text, align]) {
  if (field !== 'passed') return element('td', text(trial), align)
  const cell = element('td')
  cell.append(mark(trial.passed))
  return cell
}

function show() {
  const left = listed()
  table.tBodies[0].replaceChildren(...left.slice(0, limit).map(rowOf))
  const beginning = left.length > limit ? `The first ${count.format(limit)} of ` : ''
  byId('count').textContent =
    `${beginning}${count.format(left.length)} trials${left.length < trials.length ? `, of ${count.format(trials.length)} in all` : ''}`
  byId('more').hidden = left.length <= limit
}

table.tHead.addEventListener('click', ({ target }) => {
  if (!target.closest('button')) return
  const heading = target.closest('th')
  const [field] = columns[heading.cellIndex]
  order = sorted(trials, (trial) => trial[field], toggleSort(heading))
  show()
})
byId('filters').addEventListener('change', () => {
  limit = pageSize
  show()
})
byId('filters').addEventListener('reset', () => setTimeout(show))
byId('filters').addEventListener('submit', (event) => event.preventDefault())
byId('more').addEventListener('click', () => {
  limit += 5 * pageSize
  show()
})
table.tBodies[0].addEventListener('click', ({ target }) => {
  const id = target.closest('tr')?.querySelector('button.open')?.dataset.trial
  if (id) location.hash = `trial=${id}`
})
show()
