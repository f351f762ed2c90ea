// The graphs that are measured, alike for all sides: ids, what each step depends on, and how long its agent takes.

const layerWidth = 10
const idOf = (i) => `s${String(i).padStart(4, '0')}`

/** What the step at a place depends on, by places, in a graph of so many steps. */
const needs = {
  chain: (i) => (i === 0 ? [] : [i - 1]),
  'fork-join': (i, steps) =>
    i === 0 ? [] : i < steps - 1 ? [0] : Array.from({ length: steps - 2 }, (_, branch) => branch + 1),
  // Each step needs three of the layer before it.
  layered(i) {
    const layer = Math.floor(i / layerWidth)
    const before = (offset) => (layer - 1) * layerWidth + ((i + offset) % layerWidth)
    return layer === 0 ? [] : [0, 1, 2].map(before).sort((a, b) => a - b)
  },
}

export const shapes = Object.keys(needs)

/** Returns the steps of a graph, `{ id, after }`, each behind those that it depends on. */
export const stepsOf = (shape, steps) =>
  Array.from({ length: steps }, (_, i) => ({ id: idOf(i), after: needs[shape](i, steps).map(idOf) }))

/** Milliseconds that a step's agent takes in a graph with latencies: 20 to 200, the same in every run. */
export const latencyOf = (id) => 20 + ((Number(id.slice(1)) * 2654435761) % 181)

/** What a step says, given what the steps before it said. */
export const promptOf = (id, given) => `Do ${id}.${given.map((text) => ` ${text}`).join('')}`
export const replyOf = (id) => `said ${id}`
