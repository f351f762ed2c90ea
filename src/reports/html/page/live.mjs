import { byId, isolated, signs } from './dom.mjs'

const follows = JSON.parse(byId('follows').textContent)

/** Shows what became of a trial in its place; a trial of another page of the grid has none here. */
function patch({ place, mark, text, href }) {
  const link = byId(place)
  if (!link) return
  link.dataset.result = mark
  link.textContent = signs[mark]
  link.title = text
  link.setAttribute('aria-label', text)
  if (href) link.href = href
  else link.removeAttribute('href')
}

const isAnswerShut = () => byId('answer').classList.contains('shut')

let before
function tell({ state, done, planned, text, now, isShut }) {
  Object.assign(byId('bar'), { max: planned, value: done, hidden: state !== 'running' })
  byId('state').replaceChildren(...isolated(state))
  byId('state').dataset.state = state === 'running' ? 'running' : 'stands'
  byId('progress').replaceChildren(...isolated(text))
  byId('now').replaceChildren(
    ...now.map((one) => {
      const item = document.createElement('li')
      item.append(...isolated(one))
      return item
    }),
  )
  // The answer is that of another state: a person says when it may move.
  if ((before && before !== state) || (isAnswerShut() && !isShut)) byId('changed').hidden = false
  before = state
}

let last = follows?.events
let source
function open() {
  source = new EventSource(last)
  source.addEventListener('trial', ({ data }) => {
    patch(JSON.parse(data))
    if (!isAnswerShut()) byId('changed').hidden = false
  })
  source.addEventListener('progress', ({ data, lastEventId }) => {
    tell(JSON.parse(data))
    last = last.replace(/since=[^&]*$/, `since=${lastEventId}`)
  })
  source.addEventListener('broken', ({ data }) => {
    byId('progress').replaceChildren(...isolated(JSON.parse(data).join(' ')))
    source.close()
  })
}

// A browser opens six connections to a server: a page that nobody sees gives its own back.
function openIfSeen() {
  source?.close()
  source = undefined
  if (!document.hidden) open()
}
if (follows) {
  document.addEventListener('visibilitychange', openIfSeen)
  openIfSeen()
}
