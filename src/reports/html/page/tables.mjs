import { byId } from './dom.mjs'
import { sorted, sortKey } from './values.mjs'

/** Toggles the sort direction of a heading, and marks it for screen readers. */
export function toggleSort(heading) {
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

const opener = byId('all-columns')
const wholeText = opener?.textContent
opener?.addEventListener('click', () => {
  const open = opener.getAttribute('aria-expanded') !== 'true'
  opener.setAttribute('aria-expanded', String(open))
  opener.textContent = open ? 'The first five columns' : wholeText
  byId('more-columns').classList.toggle('shown', open)
})

// Paper cannot be opened.
window.addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('main details')) details.open = true
})
