import { ConflictError } from './errors.mjs'

const attempts = 3

/** Loads and changes models that are kept as events. */
export function createRepository(store, model, { snapshotEvery }) {
  if (!Number.isInteger(snapshotEvery) || snapshotEvery < 1) {
    throw new RangeError('snapshotEvery is an integer of at least 1')
  }
  const snapshots = new Map()
  const snapshot = (id) => structuredClone(snapshots.get(id))
  const round = (version) => Math.floor(version / snapshotEvery)

  function load(id) {
    const start = snapshot(id) ?? { state: structuredClone(model.initial), version: 0 }
    const later = store.read(id, start.version)
    const state = later.reduce((before, { event }) => model.apply(before, event), start.state)
    return { state, version: start.version + later.length }
  }

  function attempt(id, command) {
    const { state, version } = load(id)
    const events = model.decide(state, command)
    if (events.length === 0) return { events, version }
    const next = store.append(id, events, version)
    if (round(next) > round(version)) {
      const after = events.reduce((before, event) => model.apply(before, event), state)
      snapshots.set(id, structuredClone({ state: after, version: next }))
    }
    return { events, version: next }
  }

  function execute(id, command) {
    for (let count = 1; ; count++) {
      try {
        return attempt(id, command)
      } catch (error) {
        if (!(error instanceof ConflictError) || count === attempts) throw error
      }
    }
  }

  return { load, execute, snapshot }
}
