import { seededRandom } from '../../src/base/random.ts'
import { namingSuite } from '../helpers/runs/naming-suite.ts'

const random = seededRandom('places and kinds of agents')
// All of them are tried in test/nightly.
await namingSuite(() => random() < 0.15)
