import { namingSuite } from '../helpers/naming-suite.ts'

await namingSuite(() => true)
