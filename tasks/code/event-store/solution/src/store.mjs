import { ConflictError } from './errors.mjs'

/** Streams of events, in memory. */
export function createStore() {
  const log = []
  const versions = new Map()
  const version = (stream) => versions.get(stream) ?? 0

  return {
    version,
    append(stream, events, expected) {
      const actual = version(stream)
      if (expected !== 'any' && expected !== actual) throw new ConflictError(stream, expected, actual)
      for (const [index, event] of structuredClone(events).entries()) {
        log.push({ position: log.length + 1, stream, version: actual + index + 1, event })
      }
      versions.set(stream, actual + events.length)
      return actual + events.length
    },
    read(stream, after = 0) {
      return log
        .filter((entry) => entry.stream === stream && entry.version > after)
        .map(({ version, event }) => ({ version, event: structuredClone(event) }))
    },
    all: (after = 0) => structuredClone(log.slice(after)),
  }
}
