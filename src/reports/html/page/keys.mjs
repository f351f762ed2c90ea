import { isBeside, leaveTrial } from './beside.mjs'
import { byId } from './dom.mjs'

/** Goes to the trial, or to the mark or run, before or behind. */
function go(by) {
  const near = document.querySelector(`#trial-view a[rel="${by > 0 ? 'next' : 'prev'}"]`)
  if (document.querySelector('#trial-view')) {
    near?.click()
    return
  }
  const links = [...document.querySelectorAll('#grid tbody a[href], #runs a.step')]
  const at = links.indexOf(document.activeElement)
  links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus()
}

function up() {
  if (isBeside()) leaveTrial()
  else [...document.querySelectorAll('header nav a')].at(-1)?.click()
}

const deeds = {
  j: () => go(1),
  k: () => go(-1),
  f: () => byId('choice')?.querySelector('select, [name="task"], input')?.focus(),
  '/': () => byId('choice')?.querySelector('[name="q"]')?.focus(),
  u: up,
  '?': () => byId('keys').showModal(),
}
document.addEventListener('keydown', (event) => {
  const { key, target, altKey, ctrlKey, metaKey } = event
  if (altKey || ctrlKey || metaKey || target.closest('input, select, textarea, dialog')) return
  const deed = Object.hasOwn(deeds, key) ? deeds[key] : undefined
  if (!deed) return
  event.preventDefault()
  deed()
})
