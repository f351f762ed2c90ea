import type { Summary } from '../../analysis/summary.ts'
import { methodName } from '../tables/task-columns.ts'
import { counted } from '../words/numbers.ts'

