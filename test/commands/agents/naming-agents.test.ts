import { namingPlaces } from '../../helpers/runs/naming-places.ts'
import { namingSuite } from '../../helpers/runs/naming-suite.ts'

/** A free module whose numbers are real, a paid one whose numbers are not, a model, and a program of the user's own. */
const some = ['scripted-real.mjs.own', 'scripted-paid.mjs.own', 'openai-compatible-m.own', 'cli.own']

// Every kind in the first place, and these in every other one. The faults on purpose try every pair.
await namingSuite((place, { label }) => place === namingPlaces[0] || some.includes(label))
