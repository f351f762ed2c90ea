import { namingPlaces } from '../../helpers/runs/naming-places.ts'
import { namingSuite } from '../../helpers/runs/naming-suite.ts'

/** A free module whose numbers are real: not gated, not simulated. */
const free = 'scripted-real.mjs.own'
/** A paid module whose numbers are not real, a model, and a program of the user's own: each is gated for another reason. */
const gated = ['scripted-paid.mjs.own', 'openai-compatible-m.own', 'cli.own']
/** One provider of each sort of those that differ only in their name. */
const first = ['oracle', 'scripted', 'anthropic', 'openai-compatible', 'ollama', 'claude-cli', 'cli']

// One provider of each sort in the first place, and in the others by turns a free agent and one that is gated. The faults on
// purpose try every pair.
await namingSuite((place, { label, provider }) => {
  const at = namingPlaces.indexOf(place)
  if (at === 0) return first.includes(provider)
  return label === (at % 2 === 0 ? free : gated[at % gated.length])
})
