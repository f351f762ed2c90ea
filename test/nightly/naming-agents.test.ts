import { namingSuite } from '../helpers/runs/naming-suite.ts'

await namingSuite(() => true)
