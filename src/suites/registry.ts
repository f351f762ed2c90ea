import { exercism } from './exercism/exercism.ts'
import { humaneval } from './humaneval.ts'
import { native } from './native.ts'
import type { Importer } from './suite.ts'

/** All importers. The name before the colon of `NAME:PATH` selects one. */
export const importers: readonly Importer[] = [native, humaneval, exercism]
