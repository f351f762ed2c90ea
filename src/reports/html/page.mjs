// The script of the page: sorts tables, filters and opens trials. It sets texts, never markup.
const byId = (id) => document.getElementById(id)
const { run, trials } = JSON.parse(byId('data').textContent)
const pageSize = 200

/** Returns the sort key of a cell: its first number, times in milliseconds; else its text; null for an unknown value. */
function sortKey(text) {
  const match = /^(?:>= ?)?([+-]?)\$?([\d,]*\.?\d+)(M)?%?(?: (s|min|h)\b)?/.exec(text)
  if (!match) return ['', '-', 'unknown'].includes(text) ? null : text
  const [, sign, digits, million, unit] = match
  const factor = (million ? 1e6 : 1) * ({ s: 1e3, min: 6e4, h: 36e5 }[unit] ?? 1)
  return (sign === '-' ? -1 : 1) * Number(digits.replaceAll(',', '')) * factor
}

function compare(a, b) {
  if (a === null || b === null) return (a === null) - (b === null)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b), 'en', { numeric: true })
}

/** Returns a sorted copy. Unknown values are last in both directions. */
function sorted(items, keyOf, descending) {
  const keys = new Map(items.map((item) => [item, keyOf(item)]))
  return [...items].sort((x, y) => {
    const [a, b] = [keys.get(x), keys.get(y)]
    return a === null || b === null ? compare(a, b) : (descending ? -1 : 1) * compare(a, b)
  })
}

/** Toggles the sort direction of a heading, and marks it for screen readers. */
function toggleSort(heading) {
  const descending = heading.getAttribute('aria-sort') === 'ascending'
  for (const other of heading.parentElement.children) other.removeAttribute('aria-sort')
  heading.setAttribute('aria-sort', descending ? 'descending' : 'ascending')
  return descending
}

for (const table of document.querySelectorAll('table.sortable'))
  table.tHead.addEventListener('click', ({ target }) => {
    const heading = target.closest('th')
    if (!target.closest('button')) return
    const descending = toggleSort(heading)
    const body = table.tBodies[0]
    const key = (row) => sortKey(row.cells[heading.cellIndex].textContent)
    body.append(...sorted([...body.rows], key, descending))
  })

const count = new Intl.NumberFormat('en-US')
const usd = (value) => `$${Number(value.toPrecision(3))}`
const seconds = (ms) => (ms < 119950 ? `${(ms / 1000).toFixed(1)} s` : `${(ms / 60000).toFixed(1)} min`)
const shown = (value, format) => (value === null ? 'unknown' : format(value))
const severalAgents = new Set(trials.map(({ agents }) => agents)).size > 1
const columns = [
  ['task', 'task', (trial) => trial.task],
  ['method', 'method', (trial) => trial.method],
  ...(severalAgents ? [['agents', 'agents', (trial) => trial.agents]] : []),
  ['epoch', 'epoch', (trial) => String(trial.epoch), 'right'],
  ['outcome', 'ended', (trial) => trial.outcome],
  ['passed', 'result', (trial) => trial.passed],
  ['score', 'score, %', (trial) => (trial.score === null ? '-' : (100 * trial.score).toFixed(1)), 'right'],
  ['tokens', 'tokens', (trial) => shown(trial.tokens, (value) => count.format(value)), 'right'],
  ['costUsd', 'cost', (trial) => shown(trial.costUsd, usd), 'right'],
  ['calls', 'calls', (trial) => String(trial.calls), 'right'],
  ['iterations', 'iterations', (trial) => String(trial.iterations), 'right'],
  ['ms', 'time', (trial) => seconds(trial.ms), 'right'],
]

const element = (name, text, className) => {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  if (className) made.className = className
  return made
}

const table = byId('trial-table')
const headings = element('tr')
for (const [, heading, , align] of columns) {
  const cell = element('th', undefined, align ?? 'left')
  cell.scope = 'col'
  const button = element('button', heading, 'sort')
  button.type = 'button'
  cell.append(button)
  headings.append(cell)
}
table.tHead.append(headings)

const selects = [...byId('filters').querySelectorAll('select')]
for (const select of selects) {
  const values = [...new Set(trials.map((trial) => trial[select.dataset.field]))].sort()
  select.append(...values.map((value) => new Option(value, value)))
  select.parentElement.hidden = values.length < 2
}

let order = trials
let limit = pageSize

function rowOf(trial) {
  const row = element('tr')
  const [[, , name], ...others] = columns
  const cell = element('th')
  cell.scope = 'row'
  const button = element('button', name(trial), 'open')
  button.type = 'button'
  button.dataset.trial = trial.id
  cell.append(button)
  row.append(cell, ...others.map(([, , text, align]) => element('td', text(trial), align)))
  return row
}

function show() {
  const wanted = selects
    .filter(({ value }) => value !== '')
    .map(({ value, dataset }) => [dataset.field, value])
  const left = order.filter((trial) => wanted.every(([field, value]) => trial[field] === value))
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

// The stories are split when the first trial is opened, and parsed one by one.
let lines
function storyOf(index) {
  lines ??= byId('stories').textContent.slice(1).split('\n')
  return JSON.parse(lines[index])
}

function openTrial(id) {
  const index = trials.findIndex((trial) => trial.id === id)
  if (index < 0) return
  const parts = storyOf(index) ?? [
    `The page leaves out this story to limit its size. Read it with:\nbench show ${run} ${id}`,
  ]
  const place = byId('trial-story')
  byId('trial-heading').textContent =
    `${trials[index].task}, ${trials[index].method}, epoch ${trials[index].epoch}`
  place.replaceChildren(
    ...parts.map((part, at) => {
      const [first, ...rest] = part.split('\n')
      if (rest.length === 0) return element('p', first, 'part')
      const details = element('details')
      // The first and the last part are open: what the trial was, and how it ended.
      details.open = at === 0 || at === parts.length - 1
      const heading = element('summary', first.trim())
      const spent = rest.find((line) => /^ *spent {4}/.test(line))
      if (spent) heading.append(element('small', spent.trim()))
      details.append(heading, element('pre', rest.join('\n')))
      return details
    }),
  )
  byId('trial').showModal()
  place.parentElement.scrollTop = 0
}

table.tBodies[0].addEventListener('click', ({ target }) => {
  const id = target.closest('tr')?.querySelector('button.open')?.dataset.trial
  if (id) location.hash = `trial=${id}`
})
byId('trial-close').addEventListener('click', () => byId('trial').close())
byId('trial').addEventListener('close', () => {
  if (location.hash.startsWith('#trial=')) history.replaceState(null, '', '#trials')
})
function openByHash() {
  const id = /^#trial=([\w-]+)$/.exec(location.hash)?.[1]
  if (id) openTrial(id)
}
window.addEventListener('hashchange', openByHash)
show()
openByHash()
