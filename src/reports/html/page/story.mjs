import { methodOf, run, trials } from './data.mjs'
import { byId, element, isolated, mark } from './dom.mjs'
import { listed } from './trials.mjs'
import { count } from './values.mjs'

// The stories are split when the first trial is opened, and parsed one by one.
let lines
function storyOf(index) {
  lines ??= byId('stories').textContent.slice(1).split('\n')
  return JSON.parse(lines[index])
}

/** Returns the lines of a part, with those of a diff marked. Quoted lines begin with a bar. */
function preOf(rest) {
  const pre = element('pre')
  let plain = []
  const flush = () => {
    if (plain.length > 0) pre.append(`${plain.join('\n')}\n`)
    plain = []
  }
  for (const line of rest) {
    const sign = /^ {6,}([+-])(?: |$)/.exec(line)?.[1]
    if (!sign) {
      plain.push(line)
      continue
    }
    flush()
    pre.append(element('span', `${line}\n`, sign === '+' ? 'added' : 'removed'))
  }
  flush()
  return pre
}

function partOf(part, isOpen) {
  const [first, ...rest] = part.split('\n')
  if (rest.length === 0) return element('p', first, 'part')
  const details = element('details')
  details.open = isOpen
  const heading = element('summary', first.trim())
  const spent = rest.find((line) => /^ *spent {4}/.test(line))
  if (spent) heading.append(element('small', spent.trim()))
  details.append(heading, preOf(rest))
  return details
}

const dialog = byId('trial')
const step = { previous: byId('trial-previous'), next: byId('trial-next') }
let neighbours = {}
let current

/** Opens a trial. The neighbours are those of the list as it is filtered and sorted, or of all trials if it is not in there. */
export function openTrial(index) {
  const trial = trials[index]
  current = trial
  const parts = storyOf(index) ?? [
    `The page leaves out this story to limit its size. Read it with:\nbench show ${run} ${trial.id}`,
  ]
  const heading = byId('trial-heading')
  heading.replaceChildren(...isolated(`${trial.task}, ${methodOf(trial)}, epoch ${trial.epoch}`))
  // The first and the last part are open: what the trial was, and how it ended.
  const place = byId('trial-story')
  place.replaceChildren(...parts.map((part, at) => partOf(part, at === 0 || at === parts.length - 1)))
  const list = listed().includes(trial) ? listed() : trials
  const at = list.indexOf(trial)
  neighbours = { previous: list[at - 1], next: list[at + 1] }
  step.previous.disabled = !neighbours.previous
  step.next.disabled = !neighbours.next
  byId('trial-place').replaceChildren(
    mark(trial.passed),
    ` ${count.format(at + 1)} of ${count.format(list.length)}`,
  )
  if (!dialog.open) {
    dialog.showModal()
    heading.focus()
  }
  dialog.scrollTop = 0
}

function go(direction) {
  const trial = neighbours[direction]
  if (!trial) return
  // The history keeps where the reader came from, not each trial on the way.
  history.replaceState(null, '', `#trial=${trial.id}`)
  openTrial(trials.indexOf(trial))
}

step.previous.addEventListener('click', () => go('previous'))
step.next.addEventListener('click', () => go('next'))
dialog.addEventListener('keydown', ({ key, altKey, ctrlKey, metaKey }) => {
  if (altKey || ctrlKey || metaKey) return
  if (key === 'ArrowLeft') go('previous')
  if (key === 'ArrowRight') go('next')
})
byId('trial-close').addEventListener('click', () => dialog.close())
/** After a trial is closed, the focus is on the link that opened it, its row, or the table if the row is not shown. */
function returnFocus() {
  const table = byId('trial-table')
  const { activeElement } = document
  if (activeElement !== document.body && !table.contains(activeElement)) return
  const opener = [...table.querySelectorAll('button.open')].find(
    ({ dataset }) => dataset.trial === current.id,
  )
  ;(opener ?? table.parentElement).focus()
}

dialog.addEventListener('close', () => {
  returnFocus()
  if (location.hash.startsWith('#trial=')) history.replaceState(null, '', '#trials')
})
