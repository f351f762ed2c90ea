import { methods, trials } from './data.mjs'
import { byId, isolated } from './dom.mjs'
import { choosePair } from './pair.mjs'
import { openTrial } from './story.mjs'

/** Opens the one trial whose id begins so; otherwise the page says why it opens none. */
function openByBeginning(beginning) {
  const wanted = beginning.toLowerCase()
  const places = trials.flatMap(({ id }, index) => (id.toLowerCase().startsWith(wanted) ? [index] : []))
  const exact = trials.findIndex(({ id }) => id === beginning)
  const found = exact >= 0 ? exact : places.length === 1 ? places[0] : undefined
  if (beginning === '') showMessage('The link names no trial.')
  else if (found !== undefined) openTrial(found)
  else showMessage(lostText(beginning, places))
}

function showMessage(text) {
  const message = byId('no-trial')
  byId('trial').close()
  message.hidden = false
  message.replaceChildren(...isolated(text))
  message.scrollIntoView()
}

function lostText(beginning, places) {
  return places.length === 0
    ? `No such trial: no id of this run begins with ${beginning}.`
    : `No such trial: ${places.length} ids begin with ${beginning}: ${places
        .slice(0, 4)
        .map((index) => trials[index].id.slice(0, 12))
        .join(', ')}${places.length > 4 ? ', …' : ''}. Write more of the one that you mean.`
}

function followHash() {
  byId('no-trial').hidden = true
  const hash = location.hash.slice(1)
  if (hash.startsWith('trial=')) openByBeginning(hash.slice(6))
  if (hash.startsWith('pair=') && methods.length > 1) {
    const unknown = choosePair(...hash.slice(5).split(';').map(decodedText))
    if (unknown.length > 0) showMessage(`No such task or method: ${unknown.join(', ')}.`)
    else byId('pair').scrollIntoView()
  }
}

function decodedText(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

window.addEventListener('hashchange', followHash)
followHash()
