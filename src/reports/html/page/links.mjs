import { byId, methods, trials } from './dom.mjs'
import { choosePair } from './pair.mjs'
import { openTrial } from './story.mjs'

/** Opens the one trial whose id begins so; otherwise the page says why it opens none. */
function openByBeginning(beginning) {
  const places = trials.flatMap(({ id }, index) => (id.startsWith(beginning) ? [index] : []))
  const exact = trials.findIndex(({ id }) => id === beginning)
  const found = exact >= 0 ? exact : places.length === 1 ? places[0] : undefined
  const message = byId('no-trial')
  message.hidden = found !== undefined
  if (found !== undefined) {
    openTrial(found)
    return
  }
  byId('trial').close()
  message.textContent =
    places.length === 0
      ? `No such trial: no id of this run begins with ${beginning}.`
      : `No such trial: ${places.length} ids begin with ${beginning}: ${places
          .slice(0, 4)
          .map((index) => trials[index].id.slice(0, 12))
          .join(', ')}${places.length > 4 ? ', …' : ''}. Write more of the one that you mean.`
  message.scrollIntoView()
}

function followHash() {
  byId('no-trial').hidden = true
  const hash = location.hash.slice(1)
  if (hash.startsWith('trial=')) openByBeginning(hash.slice(6))
  if (hash.startsWith('pair=') && methods.length > 1) {
    choosePair(...hash.slice(5).split(';').map(decodedText))
    byId('pair').scrollIntoView()
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
