import { byId } from './dom.mjs'

// On a wide screen a trial is shown beside the grid; elsewhere its link leads to a page of its own.
const aside = byId('beside')
const wide = window.matchMedia('(min-width: 1400px)')
let opened

/** Shows the trial of an address beside the grid. */
async function showBeside(href) {
  const answer = await fetch(href)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const view = page.getElementById('trial-view')
  if (!view) {
    location.href = href
    return
  }
  aside.replaceChildren(document.adoptNode(view))
  aside.hidden = false
  aside.scrollTop = 0
  document.body.classList.add('with-trial')
  for (const mark of document.querySelectorAll('#grid [aria-current]')) mark.removeAttribute('aria-current')
  opened = [...document.querySelectorAll('#grid a[href]')].find((link) => link.getAttribute('href') === href)
  opened?.setAttribute('aria-current', 'true')
}

/** Closes the trial, and returns the focus to its mark. */
function closeBeside() {
  aside.hidden = true
  aside.replaceChildren()
  document.body.classList.remove('with-trial')
  opened?.removeAttribute('aria-current')
  opened?.focus()
  opened = undefined
}

/** Whether a trial is shown beside the grid. */
export const isBeside = () => aside !== null && !aside.hidden

const runAddress = location.pathname + location.search
function follow() {
  if (location.pathname + location.search === runAddress) closeBeside()
  else showBeside(location.pathname + location.search)
}

if (aside) {
  document.addEventListener('click', (event) => {
    const link = event.target.closest('#grid tbody a[href], #beside a[rel]')
    if (!link || !wide.matches || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0)
      return
    event.preventDefault()
    const href = link.getAttribute('href')
    history.pushState(null, '', href)
    showBeside(href)
  })
  window.addEventListener('popstate', follow)
}

/** Goes back to the grid from the trial beside it. */
export function leaveTrial() {
  history.pushState(null, '', runAddress)
  closeBeside()
}
